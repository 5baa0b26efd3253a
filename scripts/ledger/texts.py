"""Tables of cases: commands about a text, about an index, about short sequences, and about themselves."""

from ledger.products import each, pairs, product, words
from ledger.searches import THREADS

PLAIN = words(
    "dna.fa / dna.fa.gz / dna.fa.bgz / dna.fa.bz2 / dna.fa.xz / dna.fa.zst / dna.2bit / crlf.fa / "
    "- < dna.fa / - < dna.fa.gz / <(cat dna.fa) / a.fa b.fna c.fa")
ODD = words(
    "clean.fa / rna.fa / odd.fa / circ.fa / nrun.fa / short.fa / noseq.fa / equal.fa / masked.fa / "
    "reads.fq / reads.bam / reads.cram --cram-reference ref.fa")
OTHERS = words("prot.fa / bytes.fa --alphabet bytes / prot.fa --alphabet protein / dna.fa --alphabet dna / "
               "prot.fa --alphabet auto")
INDEXES = words(
    "dna.gsx / -x dna.gsx / many.gsx / -x parts.gsx / -x split.gsx / kept.gsx / prot.gsx / bytes.gsx / "
    "lone/dna.gsx / old.masked.v4.gsx")
READING = words(
    " / --soft-mask split / --soft-mask keep / --soft-mask fold / --ambiguous error / --ambiguous split / "
    "--memory-limit 200MB / --batch 64 / --wide / --allow-no-eof / --gpu-memory 1GB")
TEXTS = PLAIN + ODD + OTHERS
OF_INDEX = words(" / --memory-limit 200MB / --wide / --gpu-memory 1GB")
GENERAL = words(" / -q / -v / --progress json / --progress none / --progress auto / --progress bar")


def of_texts(command, *dimensions):
    """Lines of a command that reads sequences, and of the same with indexes."""
    return [*pairs(each(f"gsx {command}", TEXTS), *dimensions, READING, GENERAL, THREADS),
            *pairs(each(f"gsx {command}", INDEXES), *dimensions, OF_INDEX, GENERAL, THREADS)]


def index():
    shapes = words(
        " / --sa-rate 1 / --sa-rate 64 / --md5 / --files / --whole-header / --alphabet auto / "
        "--alphabet dna / "
        "--alphabet bytes / --alphabet protein / --md5 --files --sa-rate 3 / --plan / --plan --json / "
        "--shards 2 / --shards 3 --files / --shard-size 500 / --shard-size 300 / --shards 2 --shard 1 / "
        "--shards 2 --plan / --shards 2 --plan --shard 0")
    lists = words(
        "--input-list files.tsv / --input-list paths.txt / --input-list paths.csv / "
        "--input-list - < files.tsv / dna.fa --input-list paths.txt / --input-list paths.txt --files")
    grown = words(
        "files.gsx c.fa / dna.gsx c.fa / kept.gsx masked.fa / prot.gsx prot.fa / odd.gsx a.fa b.fna / "
        "many.gsx c.fa / dna.gsx --input-list paths.txt / old.dna.v4.gsx c.fa / files.gsx a.fa")
    jobs = "gsx index -q --shards 2 dna.fa -o j.gsx"
    return [
        *pairs(each("gsx index", PLAIN + ODD + OTHERS[:1], "-o n.gsx"), READING, shapes, THREADS),
        *product(each("gsx index",
                      words("dna.fa / masked.fa / prot.fa / bytes.fa --alphabet bytes / a.fa b.fna"),
                      "-q -o n.gsx"),
                 READING[:4], words(" / --sa-rate 1 / --md5 / --files / --wide / --shards 2")),
        *product(each("gsx index", lists, "-o n.gsx"), ["", "--shards 2"], THREADS[:2]),
        *product(each("gsx index --append", grown),
                 words("-o n.gsx / -o n.gsx --md5 / -o n.gsx --force -t 3")),
        *product("gsx index",
                 words("clean.fa / other.fa / dna.fa.gz / prot.fa / noseq.fa / reads.fq.bgz / dna.2bit"),
                 words(" / --force / -o clean.gsx / -o notindex.gsx / -o notindex.gsx --force / "
                       "-o flip2.gsx / -o many.gsx")),
        *each("cp clean.gsx c.gsx; gsx index",
              words("--append c.gsx c.fa -o c.gsx / c.fa / --force c.fa / clean.fa -o c.gsx")),
        *each(f"{jobs} --shard 0 && {jobs} --shard 1 && gsx index --shards 2",
              words("dna.fa -o j.gsx --manifest-only / dna.fa -o j.gsx --manifest-only --md5 / "
                    "a.fa b.fna -o j.gsx --manifest-only / dna.fa -o j.gsx --manifest-only --plan / "
                    "dna.fa -o j.gsx --shard 1 -v")),
        *each(f"{jobs} --shard 0 &&", ["gsx index --shards 2 dna.fa -o j.gsx --manifest-only"]),
        *each("gsx index dna.fa -o n.gsx", GENERAL),
        *each("cd folder && gsx index ../dna.fa", words(" / -o n.gsx / -o ./n.gsx / -o sub/n.gsx")),
    ]


def suffix_array():
    outputs = words(
        " / -o o.sa / --text / --text --separators / --width 4 -o o.sa / --width 5 -o o.sa / --width 8 / "
        "--check --text / --text --lcp o.lcp -o o.tsv / --lcp o.lcp -o o.sa --check / --text -o o.tsv.gz / "
        "--lcp o.lcp --width 8 --separators -o o.sa / --separators -o o.sa")
    return of_texts("sa", outputs)


def transform():
    outputs = words(
        " / -o o.bwt / --format bytes / --format fmd -o o.fmd / --format bre / -o o.bre / "
        "-o o.fmd --strand fwd / --separator '|' / --separator '\\n' / --separator '\\0' -o o.bwt / "
        "--strand both / --strand fwd --format bre")
    inverse = words(
        "clean.bwt / lines.bwt --separator '\\n' / - < clean.bwt / dna.fa / lines.bwt / <(cat clean.bwt) / "
        "empty.fa")
    return [
        *of_texts("bwt", outputs),
        *pairs(each("gsx bwt --inverse", inverse), ["", "-o o.txt"], ["", "--memory-limit 400MB"],
               ["", "--wide"], THREADS),
    ]


def phrases():
    outputs = words(
        " / --tsv / --stats / --window 100 / --format bedgraph --window 50 / -o o.lz77 / -o o.tsv.gz / "
        "-o o.bedgraph --window 64 / --across-records / --across-records -o o.lz77 / --no-header / "
        "--format stats / --format tsv --across-records / --format lz77 / --plan / --plan --json / "
        "--stats --no-header -o o.txt")
    inverse = words("dna.lz77 / across.lz77 / - < dna.lz77 / flip.lz77 / dna.fa / <(cat dna.lz77) / empty.fa")
    return [
        *of_texts("lz77", outputs),
        *pairs(each("gsx lz77 --inverse", inverse), words(" / -o o.fa / -o o.fa.gz"),
               ["", "--memory-limit 400MB"], THREADS),
    ]


def mappability():
    kinds = words(
        "-K 8 / --kmer 12 / -K 8 --frequency / -K 10 --umap single / -K 10 --umap multi / -K 12 -k 1 / "
        "-K 12 -k 2 --cap 3 / -K 16 -k 1 --frequency / --shortest-unique / -K 8 --strand fwd / "
        "-K 6 --cap 2 / -K 12 -k 0 --strand both / -K 5000")
    outputs = words(
        " / --tsv / --bedgraph / --bigwig t.bw / --bigwig t.bw --tsv / -o t.tsv / -o t.bedgraph.gz / "
        "-o t.bg / --no-header --tsv / --format tsv / --format bedgraph / --plan / --plan --json / "
        "--bigwig t.bw -o t.bdg / --whole-header")
    spectra = words(
        " / --plot p.svg / --strand fwd --plot p.svg.gz / -o s.tsv / -o s.tsv.gz --no-header / --plan")
    several = words(
        "-o t / -o t.bedgraph / -o t.tsv.gz / --bigwig t / --bigwig t.bw -o t.bg /  / "
        "-o folder/t --frequency")
    return [
        *of_texts("mappability", kinds, outputs),
        *of_texts("mappability --spectrum", spectra),
        *product("gsx mappability -K 8,12,20", words("dna.fa / dna.gsx / prot.fa"), several),
    ]


def repeats():
    kinds = words(
        " / -L 8 / -L 8 --supermaximal / -L 10 --min-count 3 / -L 8 --max-hits 2 / "
        "--min-length 12 --strand fwd / -L 10 --max-hits 0 / -L 12 --strand both")
    outputs = words(
        " / --tsv / --bed / --jsonl / -o r.gff / -o r.bed / -o r.tsv.gz / --no-header / --dotplot d.svg / --plan / "
        "--plan --json / --format bed / --format tsv / --dotplot d.svg.gz -o r.tsv / --whole-header / --by-file / "
        "--by-file --jsonl / --sort position --bed")
    pairs_of = words(" / -L 12 / -L 12 --jsonl / -L 9 --strand fwd / -o r.tsv / --no-header -L 10 / --dotplot d.svg -L 12 / "
        "--by-file / --sort position")
    return [*of_texts("repeats", kinds, outputs), *of_texts("repeats --pairs", pairs_of)]


def neighbors():
    inputs = words(
        "counts.tsv / codes.txt / counts.csv / codes.fa / - < counts.tsv / <(cat codes.txt) / "
        "cells.fq --at 1-12 / cells.fq.gz --at 1-6,7-12 / cells.fa --at 1-12 / cells.fq --at -12--1 / "
        "--interleaved mates.fq --at 1-12 / --unpaired mates.fq --at 1-12 / mates.fq --at 1-12 / "
        "counts.tsv codes.fa / empty.fa")
    kinds = words(
        " / -k 2 / --clusters / --clusters --mismatches 2 / --correct / --correct -k 2 / "
        "--whitelist allowed.txt / --whitelist codes.fa -k 2 / --correct --whitelist allowed.txt / "
        "--correct --whitelist codes.fa --confidence 0 / "
        "--correct --whitelist allowed.txt --confidence 0.5 / "
        "--correct -k 2 --whitelist allowed.txt")
    outputs = words(
        " / -o o.tsv / -o o.tsv.gz / --no-header / --summary sum.json / --format tsv -o o.txt / "
        "--summary sum.json.gz -o o.tsv")
    reads = words(
        "cells.fq --at 1-12 / cells.fq.gz --at 1-12 / cells.fq --at 2-9 / mates.fq --interleaved --at 1-12 / "
        "mates.fq --unpaired --at 1-12 / cells.fq cells.fq.gz --at 1-12 / reads.bam --at 1-8 / "
        "reads.cram --cram-reference ref.fa --at 1-8 / cells.fa --at 1-12 / - --at 1-12 < cells.fq")
    more = [*GENERAL, "--memory-limit 400MB", "--gpu-memory 1GB"]
    return [
        *pairs(each("gsx neighbors", inputs), kinds, outputs, more, THREADS),
        *pairs(each("gsx neighbors --correct", reads), ["", "--whitelist allowed.txt", "-k 2"],
               words("-o o.fq / -o o.fq.gz / --format fastq / --format fastq --summary sum.json"), more,
               THREADS),
    ]


def prefix():
    sets = words(
        "--set set.tsv / --set set.fa / --entry ACGT --entry GATT / --set set.tsv --set set.fa / "
        "--set - < set.tsv / --set <(cat set.tsv) / --set codes.fa --entry AC")
    queries = words(
        "cells.fq / cells.fq.gz / cells.fa / codes.txt / counts.csv / - < cells.fq / <(cat cells.fq) / "
        "reads.bam / dna.2bit / cells.fq cells.fa / empty.fa / reads.cram --cram-reference ref.fa")
    outputs = words(
        " / --counts / -o o.tsv / -o o.tsv.gz / --no-header / --counts --no-header / --summary sum.json / "
        "--counts --summary sum.json -o o.tsv")
    more = [*GENERAL, "--memory-limit 400MB", "--gpu-memory 1GB"]
    return [*pairs(each("gsx prefix", sets), queries, outputs, more, THREADS)]


CHOICES = words(
    "{} dna.gsx / {} -x dna.gsx / GSX_INDEX=dna.gsx gsx {} / cd lone && gsx {} / {} lone / "
    "cd lone && gsx {} ./ / {} -x lone / {} many.gsx / {} parts.gsx / {} kept.gsx / {} split.gsx / "
    "{} prot.gsx / {} bytes.gsx / {} odd.gsx / {} files.gsx / {} circ.gsx / {} protparts.gsx / "
    "{} old.dna.v4.gsx / {} old.masked.v4.gsx / {} old.protein.v4.gsx")


def chosen(command):
    return [(c if "gsx {}" in c else "gsx " + c).format(command) for c in CHOICES]


def extract():
    regions = words(
        " / chr1 / chr1:11-30 chr2 / chr1:1,00-2,00 / chr1:590- / chr2:-20 / chr1:850-2000 / '{chr1}:5-9' / "
        "-R regions.txt / -R regions.bed / -R - < regions.bed / -R <(cat regions.txt) / nothing / "
        "chr1:5-2 / chr1:0-4 / chr3 / -R regions.bed --name-only / -R empty.fa")
    shapes = words(
        " / --zero-based / --reverse-complement / --case upper / --case keep / --line-width 0 / "
        "--line-width 10 / -o o.fa / -o o.fa.gz / --zero-based --reverse-complement --line-width 7")
    others = words(
        "prot.gsx P1:2-5 / odd.gsx dup / odd.gsx . / odd.gsx empty / odd.gsx blank:2- / bytes.gsx t1:3-7 / "
        "files.gsx a#1:1-5 / files.gsx 1 / parts.gsx 'b#1:1-5' / circ.gsx plasmid:80-95 / "
        "split.gsx chr1:595-645")
    return [*pairs(chosen("extract")[:11], regions, shapes, GENERAL, THREADS[:2]),
            *product(each("gsx extract", others), shapes), *chosen("extract")]


def info():
    shapes = words(
        " / --json / --records / --records --md5 / --md5 / --json --md5 / --files / --files --no-header / "
        "--shards / --shards --no-header / --records --no-header / -o o.tsv / -o o.tsv.gz --records")
    return [*product(chosen("info"), shapes), *each("gsx info dna.gsx", [*GENERAL, *THREADS[:2]])]


def verify():
    shapes = words(
        " / --full / --full --device cpu / --against dna.fa / --against a.fa --against b.fna / "
        "--against-list files.tsv / --against other.fa / --against dna.fa.gz --full / "
        "--against - < dna.fa / --against prot.fa / --against bytes.fa / --against odd.fa / "
        "--full --gpu-memory 1GB / --against dna.fa --against-list paths.txt")
    damaged = words(
        "flip0.gsx / flip1.gsx / flip2.gsx / flip3.gsx / cut.gsx / head.gsx / more.gsx / lost.gsx / "
        "gap/many.gsx / swapped/many.gsx / old.dna.v1.gsx / old.dna.v2.gsx / old.dna.v3.gsx / "
        "notindex.gsx / empty.gsx / folder / two / none.gsx / dna.fa")
    return [*product(chosen("verify"), shapes), *product("gsx verify", ["", "--full"], damaged, THREADS[:2]),
            *each("gsx verify dna.gsx", GENERAL),
            *each("gsx verify dna.gsx --against reads.cram", ["", "--cram-reference ref.fa"])]


def report():
    runs = words(
        "S1.count.json / S1.count.json S1.locate.json / --summary S1.mem.json --summary S1.ms.json / "
        "S1.filter.json S1.prefix.json / S1.neighbors.json S2.count.json / "
        "S1.count.json S2.count.json S1.count.json / --summary S1.count.json S2.count.json")
    indexes = words(
        " / dna.gsx / -x dna.gsx / many.gsx / files.gsx / prot.gsx / bytes.gsx / odd.gsx / lone / split.gsx")
    shapes = words(
        " / -o o.html / -o o.html.gz / --top 1 / --top 0 --genome-size 2K / --spectrum spectrum.tsv / "
        "--genome-size 0")
    return [*pairs(each("gsx report", indexes), ["", *runs], shapes, [*GENERAL, "-t 3"]),
            *each("gsx report",
                  words("wrong.json / dna.fa / --spectrum reads.fa / --spectrum spectrum.tsv / "
                        "S1.count.json dna.gsx")),
            "GSX_INDEX=dna.gsx gsx report", "cd lone && gsx report", "cd two && gsx report",
            "cd folder && gsx report"]


# What depends on the machine or the clock; all numbers are blanked.
def bench():
    works = words(
        "build / sa / bwt / inverse / fm / device / sequence / count / locate / mismatches / pipeline / "
        "arrays / packing / wavelet / lcp / sa,count --sa-rates 1,8")
    texts = words(
        "genome / assembly / random / copies / halves / fibonacci / run / period-2 / protein / prose")
    return [
        *each("gsx bench --length 1000 --repeat 1 --reads 2 -t 1 --device cpu --csv --work", works),
        *each("gsx bench --length 1000 --repeat 1 --reads 0 -t 1 --device cpu --work sa --seed 3 --text",
              texts, "--write-text t.fa"),
        *product("gsx bench --repeat 1 --reads 2 -t 1 --device cpu --work sa --input", ["dna.fa", "prot.fa"],
                 words("--alphabet auto / --alphabet dna / --alphabet bytes")),
        *each("gsx bench --repeat 1 --reads 2 -t 2 --device cpu --work",
              words("sa --input dna.fa / count --input prot.fa --alphabet protein / "
                    "sa --input clean.fa --haplotypes 3 --write-text t.fa / sa --length 1K -o o.txt / "
                    "sa --length 1K -q / sa --length 1K -v / sa --length 1K --progress json / "
                    "sa --length 1K --gpu-memory 1GB / neighbors --length 1K / prefix --length 1K")),
    ]


def doctor():
    return [*product("gsx doctor", words(" / --json / -o o.txt / --json -o o.json"), ["", *THREADS]),
            *each("gsx doctor", ["--gpu-memory 1GB", "--device auto", "--device cuda", "--device cpu",
                                 *GENERAL[1:]]),
            "GSX_CPU=baseline gsx doctor", "GSX_CPU=other gsx doctor", "GSX_LOG=error gsx doctor",
            "GSX_LOG=loud gsx doctor", "GSX_MEMORY_LIMIT=x gsx doctor"]


def pages(commands):
    calls = words(
        " / --help / -h / --version / -V / version / help / help --man / help tuning / help --man tuning / help none / "
        "help help extra / none / coun / --none / -x dna.gsx count / completion / completion bash / completion zsh / "
        "completion fish / completion csh / ''")
    return [*each("gsx", calls), *[f"gsx {shape.format(c)}" for c in commands
                                   for shape in ("{} --help", "{} -h", "help {}", "help --man {}")],
            *[f"gsx {command}" for command in commands if command != "bench"]]


TABLES = {
    "index": index, "sa": suffix_array, "bwt": transform, "lz77": phrases, "mappability": mappability,
    "repeats": repeats, "neighbors": neighbors, "prefix": prefix, "extract": extract, "info": info,
    "verify": verify, "report": report, "bench": bench, "doctor": doctor,
}
