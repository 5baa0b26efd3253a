"""Tables of cases: wrong requests. What is wrong with one option is made of the pages of help."""

import re

from ledger.products import each, product, table, words

# A line of each command that is right, to which something wrong is added.
RIGHT = {
    "index": "gsx index dna.fa -o n.gsx", "count": "gsx count -x dna.gsx reads.fq",
    "locate": "gsx locate -x dna.gsx reads.fq",
    "mem": "gsx mem -x dna.gsx reads.fq", "ms": "gsx ms -x dna.gsx reads.fq",
    "filter": "gsx filter -x dna.gsx reads.fq --keep",
    "offtarget": "gsx offtarget dna.gsx guides.txt", "amplicon": "gsx amplicon dna.gsx primers.tsv",
    "mappability": "gsx mappability -K 8 dna.fa", "repeats": "gsx repeats dna.fa",
    "neighbors": "gsx neighbors counts.tsv",
    "prefix": "gsx prefix --set set.tsv cells.fq", "merge": "gsx merge 0.count.tsv 1.count.tsv",
    "extract": "gsx extract dna.gsx chr1",
    "sa": "gsx sa dna.fa -o o.sa", "bwt": "gsx bwt dna.fa", "lz77": "gsx lz77 dna.fa",
    "info": "gsx info dna.gsx",
    "report": "gsx report dna.gsx S1.count.json", "verify": "gsx verify dna.gsx",
    "bench": "gsx bench --length 1000 --repeat 1 --reads 2 --work sa", "doctor": "gsx doctor",
    "help": "gsx help count",
    "completion": "gsx completion bash",
}
# What every command takes, and what commands with queries take of files.
COMMON = words("-q / -v / --progress none / --progress auto / --progress bar / --progress json / -t 0 / -t 2")
READS = words("gsx count / gsx locate / gsx mem -L 10 / gsx ms / gsx filter --keep -L 10")
READ = words("-r ref.fa reads.cram --cram-reference ref.fa / -r noeof.fa.bgz --allow-no-eof reads.fq / "
             "-r noeof.fa.bgz reads.fq / -x dna.gsx noeof.fq.bgz / -x dna.gsx reads.cram")
# Values that are wrong for the name that help gives a value.
WRONG = {
    "N": words("x / -1 / 010 / 1.5 / '' / 99999999999999999999"), "SIZE": words("x / 1XB / -1 / 0 / ''"),
    "FILE": ["''"], "INDEX": ["''", "none.gsx"], "FASTA": ["none.fa", "''"],
    "auto|cpu|cuda[:N]": words("gpu / cuda:x / cuda:99 / ''"),
    "I:N": words("1 / a:b / 9:1"), "W:M": words("1 / a:b / 1:9"), "PAM": ["X", "''"], "F": ["2", "x"],
    "P": ["2", "x"],
    "B-E": words("0-3 / 5-2 / x / 1-99"), "BYTE": ["xy", "''"], "LETTERS": words("I / 12 / ''"),
    "PATTERN": ["''", "reads.fq"],
    "GUIDE": ["''", "reads.fq"], "NAME": ["nobody"], "N,...": words("x / 0 / 8,,9"),
}
# Numbers and sizes at and beyond what options take.
LIMITS = {
    "gsx count -x dna.gsx words.txt":
        "-t 4096 / -t 4097 / -k 0 / -k 31 / -k 32 / -k 1000 / --batch 0 / --batch 1 / --batch 4294967296 / "
        "--batch 4294967297 / --memory-limit 1 / --memory-limit 1kB / --memory-limit 10MiB / -t3 -q / "
        "--threads=2 / --memory-limit=1.5GB / --memory-limit 1TiB / -qv / -k1 / -q -q / -v -v -t 2 / -- -t",
    "gsx locate -x dna.gsx reads.fq": "-t 1 --circular all --memory-limit 16MB / -t 3 --memory-limit 64MB",
    "gsx amplicon dna.gsx primers.tsv --circular all": "-t 1 --memory-limit 32MB / -t 3 --memory-limit 64MB",
    "gsx index dna.fa -o n.gsx --sa-rate": "0 / 1048576 / 1048577",
    "gsx index dna.fa -o n.gsx --memory-limit": "1 / 1MB / 20MB / 1GB",
    "gsx index dna.fa -o n.gsx":
        "--shards 0 / --shards 5 / --shard-size 0 / --shards 2 --shard 2 / --shards 2 --shard 9 / "
        "--shard 0 / --manifest-only / --json / --shards 2 --shard-size 9 / --shards 2 --append dna.gsx",
    "gsx mappability dna.fa -K":
        "0 / 1 / 1,1 / 1073741824 / 1073741825 / 8 -k 5 / 8 -k 4 / 3 -k 3 / 8 --cap 0",
    "gsx mem -x dna.gsx reads.fq -L":
        "0 / 1 / 1099511627776 / 1099511627777 / 12 --min-occ 0 / 12 --min-occ 3 --max-occ 2",
    "gsx repeats dna.fa -L": "0 / 1 / 2000 / 8 --min-count 1",
    "gsx sa dna.fa --width": "3 / 6 / 04",
    "gsx neighbors counts.tsv -d": "0 / 3",
    "gsx lz77 dna.fa --window": "0 / 1 / 2",
    "gsx offtarget dna.gsx guides.txt":
        "-k 19 / -k 20 / --dna-bulge 9 / --rna-bulge 9 / --all-sites --guide-length 0",
    "gsx amplicon dna.gsx primers.tsv":
        "--max 0 / --min 500 --max 400 / -k 20 / --3prime 5:0 / -k 2 --3prime 0:1 / -k 1 --3prime 5:2 / "
        "--flank 99999999999",
    "gsx report dna.gsx": "--top 1001 / --genome-size x",
    "gsx filter -x dna.gsx reads.fq --keep --min-cover": "-1 / 0 / 1.1",
    "gsx bench --work sa --repeat 1 --reads 0":
        "--length 999 / --length x / --haplotypes 0 / --length 1K --text fibonacci --haplotypes 2",
}
DISAGREE = {
    "gsx count -x dna.gsx words.txt":
        "--by-record --by-mismatches / --by-record --by-file / --by-file / --matrix / --presence / "
        "--min-files 1 / --by-file --matrix --presence / --equal IL / --allow-no-eof / -r dna.fa / "
        "-x kept.gsx / --device cuda",
    "gsx locate -x dna.gsx words.txt":
        "--bed --paf / --bed --format paf / --bed -o h.paf / --sort position --jsonl / "
        "--sort position --sam / --sort position --bedgraph / --by-file / --by-file --bed / "
        "--bigwig c.bw.gz / --circular nobody / --format bigwig / --max-hits -1 / -o h.json / -o h.csv / "
        "-o h.bw / -o h.cram / -o h.bz2 / -o h.BED / -o h.bed.xz / --circular chr1 --circular chr1",
    "gsx mem -x dna.gsx words.txt -L 8":
        "--mum / --mummer / --unique-both-strands / --pairs --places / --pairs --coverage / "
        "--pairs --fastmap / --pairs --bed / --coverage --paf / --places --coverage / "
        "--pairs --max-hits 1 / --pairs --unique-both-strands / --by-file --bed / --by-file --coverage",
    "gsx filter -x dna.gsx":
        "reads.fq / reads.fq --keep --drop / reads.fq --keep -O o2.fq / r1.fq r2.fq --keep -o o.fq / "
        "r1.fq r2.fq reads.fq --keep / r1.fq r1.fq --keep / r1.fq other1.fq --keep / "
        "reads.fq reads.fa --unpaired --keep / --keep / r1.fq r2.fq --interleaved --keep / "
        "reads.fq --keep --both / reads.fq --keep --rest2 s / inter.fq --keep / "
        "--interleaved r1.fq --keep / reads.fq --keep -o o.fa / short.fa --keep",
    "gsx offtarget dna.gsx guides.txt":
        "--with-pam --without-pam / --all-sites / --guide-length 20 / --guides-in sites.bed / "
        "--pam NGG --nuclease SaCas9 / --alt-pam NGGG / --circular all --dna-bulge 1 / "
        "--score none --score mit / --format bed / --max-hits 1 / --by-file / --by-file --sites s.bed / "
        "--alt-pam NGG",
    "gsx amplicon dna.gsx primers.tsv":
        "--bed --fasta / --bed --format fasta / --inner --flank 3 / -o p.sam / --circular nobody / "
        "--by-file / --by-file --bed",
    "gsx index dna.fa":
        " / -o n.fa / -o n / -o n.gsx.gz / --append dna.gsx / "
        "--append dna.gsx -o n.gsx --alphabet protein / --append dna.gsx -o n.gsx --sa-rate 9 / "
        "--append prot.gsx -o n.gsx / --append none.gsx -o n.gsx / dna.fa -o n.gsx / ./dna.fa -o n.gsx",
    "gsx index":
        " / a.fa b.fna / - < dna.fa / - - -o n.gsx < dna.fa / dna.gsx -o n.gsx / "
        "--files a.fa lone/../a.fa -o n.gsx",
    "gsx mappability dna.fa":
        " / -K 8 --spectrum / -K 8 --shortest-unique / --plot p.svg / -K 8 --plot p.svg / "
        "--spectrum --umap single / -K 8 --frequency --umap single / -K 8 --tsv --bedgraph / "
        "-K 8 --bigwig t.bw.gz / -K 8 -o t.bw / -K 8,9 --tsv / --spectrum --bigwig t.bw / "
        "-x dna.gsx -K 8 / -K 8 --json / --shortest-unique -k 1 / --shortest-unique --cap 3",
    "gsx repeats dna.fa":
        "--tsv --bed / --pairs --bed / --pairs --supermaximal / --pairs --min-count 3 / --json / -x dna.gsx / "
        "--sort position / --by-file --bed",
    "gsx sa dna.fa": "--text --width 4 / --check --width 8 / -x dna.gsx / --text -o o.sa.gz / -o o.sa.gz",
    "gsx bwt":
        "dna.fa --format fmd --separator '|' / dna.fa --inverse --strand both / dna.fa -o o.bwt.gz / "
        "dna.fa --format rle / clean.bwt --inverse --format fmd / clean.bwt --inverse --alphabet dna / "
        "prot.fa --format fmd / clean.bwt dna.fa --inverse / ",
    "gsx lz77 dna.fa":
        "--tsv --stats / --tsv --window 9 / --format lz77 --tsv / -o o.lz77.gz / --inverse --stats / "
        "--json / --inverse --plan",
    "gsx neighbors":
        "counts.tsv --clusters --correct / counts.tsv --confidence 0.5 / "
        "counts.tsv --correct --confidence 0.5 / cells.fq / counts.tsv --correct --format fastq / "
        "counts.tsv --at 1-5 / counts.tsv --clusters --whitelist allowed.txt /  / longcode.txt / "
        "r1.fq r2.fq --at 1-8 --correct / cells.fq --at 1-12 --format fastq / "
        "- --at 1-12 --correct -o o.fq < cells.fq / counts.tsv counts.tsv / inter.fq --at 1-8 --correct",
    "gsx prefix":
        "cells.fq / --set set.tsv / --set badset.txt cells.fq / --entry ACGN cells.fq / "
        "--set set.tsv cells.fq cells.fq / --set empty.fa cells.fq / -f set.tsv cells.fq / -p ACG cells.fq",
    "gsx merge":
        " / 0.count.tsv 1.count.tsv --matrix --presence / 0.hits.tsv 1.hits.tsv / "
        "0.most.tsv 1.most.tsv --queries reads.fq / "
        "0.most.tsv 1.most.tsv --queries reads.fq --max-hits 1 / "
        "0.most.tsv 1.most.tsv --queries reads.fq --max-hits 2 -k 1 / "
        "0.count.tsv 1.count.tsv --summary s / "
        "0.most.tsv 1.most.tsv --queries reads.fq --max-hits 1 -k 1 --iupac / "
        "0.count.tsv.json 1.count.tsv 1.count.tsv.json / dna.fa 1.count.tsv / "
        "0.count.tsv 1.count.tsv -x dna.gsx / 0.count.tsv 1.count.tsv --min-files 2 / "
        "0.hits.paf 1.hits.bed --queries reads.fq",
    "gsx extract dna.gsx":
        "--name-only / -R regions.txt --name-only / -R badregion.txt / -R none.bed / chr1 -x kept.gsx / "
        "--zero-based chr1:-1-5",
    "gsx info dna.gsx":
        "--json --records / --records --files / --files --md5 / --shards --files / --json --no-header / "
        "prot.gsx / -x prot.gsx",
    "gsx verify dna.gsx":
        "--device cpu / --full --device cuda / prot.gsx / --against none.fa / --against-list nopaths.txt",
    "gsx bench --work sa --length 1000":
        "--alphabet dna / --input dna.fa --length 2000 / --input none.fa / --work nothing / --device cuda",
}
# Lines with the file that they read in braces, in whose place others are put.
READERS = words(
    "gsx index {dna.fa} -o n.gsx / gsx index -o n.gsx --input-list {paths.txt} / "
    "gsx count -x dna.gsx {reads.fq} / gsx count -p ACGT -r {dna.fa} / gsx count -x dna.gsx -f {words.txt} / "
    "gsx locate -x dna.gsx {reads.fq} / gsx mem -x dna.gsx {reads.fq} / gsx mem --pairs {dna.fa} reads.fq / "
    "gsx ms -x dna.gsx {reads.fq} / gsx filter -x dna.gsx --keep {reads.fq} / "
    "gsx filter -r {dna.fa} --keep reads.fq / gsx offtarget dna.gsx {guides.txt} / "
    "gsx offtarget guides.txt -r {dna.fa} / gsx offtarget dna.gsx guides.txt --score {scores.tsv} / "
    "gsx amplicon dna.gsx {primers.tsv} / gsx mappability -K 8 {dna.fa} / gsx repeats {dna.fa} / "
    "gsx neighbors {counts.tsv} / gsx neighbors counts.tsv --whitelist {allowed.txt} / "
    "gsx prefix --set set.tsv {cells.fq} / gsx prefix cells.fq --set {set.tsv} / "
    "gsx merge {0.count.tsv} 1.count.tsv / gsx merge 0.hits.tsv 1.hits.tsv --queries {reads.fq} / "
    "gsx extract dna.gsx -R {regions.txt} / gsx sa --text {dna.fa} / gsx bwt {dna.fa} / "
    "gsx bwt --inverse {clean.bwt} / gsx lz77 --tsv {dna.fa} / gsx lz77 --inverse {dna.lz77} / "
    "gsx report {S1.count.json} / gsx report --spectrum {spectrum.tsv} / "
    "gsx verify dna.gsx --against {dna.fa}")
BAD_FILES = words(
    "none.fa / folder / empty.fa / bad.fa / mixed.fa / bad.fq / cut.fq / notdna.fa / wrong.fa / cut.fa.gz / "
    "cut.fa.bgz / flip.fa.gz / behind.fa.gz / zero.fa.gz / noeof.fa.bgz / archive.zip / page.html / "
    "record.gb / calls.vcf / noise.bin / badlist.csv / dna.gsx / closed.fa / reads.cram / noseq.fa / "
    "nrun.fa / short.fa / /dev/null / '' / - < /dev/null / - <&- / - < folder / <(head -c 900 dna.fa.gz) / "
    "odd.fa / badpairs.tsv / badscore.tsv / badset.txt / longcode.txt / badregion.txt / wrong.json")
BAD_INDEXES = words(
    "none.gsx / folder / two / dna.fa / notindex.gsx / empty.gsx / flip0.gsx / flip1.gsx / flip2.gsx / "
    "flip3.gsx / cut.gsx / head.gsx / more.gsx / lost.gsx / gap/many.gsx / swapped/many.gsx / "
    "old.dna.v1.gsx / old.dna.v2.gsx / old.dna.v3.gsx / dna.lz77 / /dev/null / closed.gsx / prot.gsx / "
    "bytes.gsx / ''")
INDEX_USERS = words(
    "gsx count -p ACGT -x / gsx locate -p ACGT -x / gsx mem reads.fq -x / gsx ms reads.fq -x / "
    "gsx filter --keep reads.fq -x / gsx offtarget guides.txt -x / gsx amplicon primers.tsv -x / "
    "gsx mappability -K 8 -x / gsx repeats -x / gsx extract -x / gsx sa --text -x / gsx bwt -x / "
    "gsx lz77 -x / gsx info -x / gsx report -x / gsx verify -x / gsx merge 0.count.tsv 1.count.tsv -x / "
    "gsx index c.fa -o n.gsx --append")
BAD_OUTPUTS = words(
    "none/o / folder / /dev/full / '' / o.zip / o.bz2 / o.XZ / shut/o / dna.fa/o / /proc/o / "
    ".o.gsx-1-2-3-4-5.tmp / /dev/null / - / /dev/stdout / /dev/stderr / dna.gsx / lone/../o / closed.txt")
# Two outputs, or an output and an input, of one name: what is added to a line.
SAME = {
    "gsx count -x dna.gsx reads.fq":
        "-o o --summary o / -o o --unmatched ./o / --unmatched o --summary lone/../o / -o dna.gsx / "
        "-o reads.fq / -o - --summary - / --summary reads.fq / --unmatched dna.gsx",
    "gsx locate -x dna.gsx reads.fq":
        "-o o.bed --bigwig o.bed / --bigwig dna.gsx / --bigwig - / --bigwig o --summary o",
    "gsx ms -x dna.gsx reads.fq": "-o o --places o / --offsets o --places o / --places -  / --offsets -",
    "gsx filter -x dna.gsx r1.fq r2.fq --keep":
        "-o o -O o / -o o -O p --rest o --rest2 q / -o o -O r1.fq / --by-record r2.fq / "
        "--rest o --summary o / -o - -O -",
    "gsx offtarget dna.gsx guides.txt":
        "-o o --sites o / --sites - / --sites guides.txt / -o dna.gsx / --score scores.tsv -o scores.tsv",
    "gsx index dna.fa": "-o dna.fa / -o dna.fa --force / -o ./dna.fa --force",
    "":
        "gsx index --input-list paths.txt -o paths.txt --force / "
        "gsx index -q --append many.000.gsx c.fa -o many.000.gsx / gsx extract many.gsx -o many.000.gsx / "
        "gsx extract dna.gsx -R regions.txt -o regions.txt / "
        "gsx report dna.gsx S1.count.json -o S1.count.json / gsx count -x dna.gsx reads.fq >> dna.gsx / "
        "gsx bwt dna.fa > dna.fa / ln -s dna.gsx l.gsx; gsx count -x dna.gsx reads.fq -o l.gsx / "
        "ln reads.fq l.fq; gsx count -x dna.gsx reads.fq -o l.fq / "
        "ln -s o.tsv l.tsv; gsx count -x dna.gsx reads.fq -o l.tsv / "
        "gsx count -x dna.gsx reads.fq reads.fq / gsx count -x dna.gsx - - < reads.fq / "
        "gsx count -x dna.gsx -f - - < reads.fq / gsx info -x dna.gsx -x prot.gsx / "
        "gsx count dna.fa reads.fq / gsx locate dna.fa -p ACGT / gsx filter dna.fa reads.fq --keep / "
        "gsx count dna.gsx prot.gsx / gsx count / gsx locate -x dna.gsx / cd two && gsx count -p ACGT / "
        "cd folder && gsx info / GSX_INDEX=none.gsx gsx info / GSX_INDEX=two gsx info / "
        "GSX_INDEX= gsx info / GSX_MEMORY_LIMIT=x gsx count -x dna.gsx -p ACGT / "
        "GSX_GPU_MEMORY= gsx count -x dna.gsx -p ACGT / GSX_MEMORY_LIMIT=1 gsx count -x dna.gsx reads.fq / "
        "GSX_MEMORY_LIMIT=64MB gsx count -x dna.gsx reads.fq / GSX_CPU=x gsx count -x dna.gsx -p ACGT / "
        "TMPDIR=none gsx locate -x dna.gsx reads.fq --bigwig c.bw",
    "gsx index --shards 2 -q many.fa -o": "many.gsx",
    "gsx mappability dna.fa":
        "--spectrum -o o --plot o / -K 8 -o t --bigwig t / -K 8 -o dna.fa / -K 8,9 -o t.tsv --bigwig t.tsv",
    "gsx repeats dna.fa": "-o o --dotplot o / --dotplot dna.fa",
    "gsx sa dna.fa": "-o o --lcp o / --lcp dna.fa / --lcp -",
    "gsx neighbors counts.tsv": "-o o --summary o / --whitelist allowed.txt -o allowed.txt",
    "gsx prefix --set set.tsv cells.fq": "-o set.tsv / -o o --summary o",
    "gsx merge 0.count.tsv 0.count.tsv.json 1.count.tsv 1.count.tsv.json":
        "-o o --summary o / -o 0.count.tsv / --summary 1.count.tsv.json",
}
# What a stream that ends early does: the code of gsx is shown, for the shell gives that of the last one.
STREAMS = words(
    "gsx count -x dna.gsx reads.fq / gsx locate -x dna.gsx reads.fq --bam / gsx extract dna.gsx / "
    "gsx sa dna.fa / gsx bwt dna.fa / gsx help count / gsx info dna.gsx / "
    "gsx filter -x dna.gsx reads.fq --drop / gsx mappability -K 8 dna.fa / gsx offtarget dna.gsx guides.txt")
CLOSED = [
    *[line for stream in STREAMS for end in ("", " -o /dev/stdout") if "help" not in stream + end
      for line in [f'{{ sleep 0.1; {stream}{end}; echo "exit code $?" >&2; }} | true']],
    *product(STREAMS, words("> /dev/full / >&- / 2>&- / 2> /dev/full / <&-")),
    *each("ulimit -n 16;", STREAMS[:3]),
    *each("ulimit -f 1;", ["gsx index dna.fa -o n.gsx", "gsx sa dna.fa -o o.sa", f"{STREAMS[0]} -o o.tsv"]),
    *[f"mkfifo p; {stream} -o p & cat p; wait $!" for stream in STREAMS if "help" not in stream],
    "mkfifo p; cat dna.gsx > p & gsx info p",
]


def common():
    return product([line for command, line in RIGHT.items() if command not in ("help", "completion")],
                   COMMON) + product(READS, READ)


def wrong_options(options):
    """For each option of each command: a wrong value, no value, a value for a flag, and the option twice."""
    lines = []
    for command, list_ in options.items():
        right = RIGHT.get(command, f"gsx {command}")
        for option in list_:
            if option.value is None:
                lines.append(f"{right} {option.name}=1")
                continue
            kind = option.value[:-4] if option.value.endswith(",...") and option.words else option.value
            values = ["nothing", "''"] if option.words else WRONG.get(kind, ["''"])
            lines += each(f"{right} {option.name}", values)
            lines.append(f"{right} {option.name}")
            lines.append(f"{right} {option.name} {option.words[0] if option.words else '1'} {option.name} 2")
        lines += each(right, words("--none / --threds 2 / -Z / -- / one many / -t"))
    return lines


def requests(options):
    lines = wrong_options(options) + table(LIMITS) + table(DISAGREE)
    for line in READERS:
        before, file, after = re.split("[{}]", line)
        lines += [before + bad + after for bad in BAD_FILES]
        lines.append(f"{before}{file}{after} -o {file}")
        lines.append(f"mkfifo p; cat {file} > p & {before}p{after}")
    lines += product(INDEX_USERS, BAD_INDEXES)
    for command, line in RIGHT.items():
        if command not in ("help", "completion", "verify", "index", "sa"):
            lines += each(f"{line} -o", BAD_OUTPUTS)
    lines += product(["gsx index dna.fa -o", "gsx sa dna.fa -o"], BAD_OUTPUTS)
    return lines + table(SAME) + CLOSED
