"""Tables of cases: commands that search with queries, guides or primers, and what joins their results.

A case is a line for bash. Where a command searches is a line with {} for the command; what a table names
besides is put behind it.
"""

from ledger.inputs import FILE_PARTS, PARTS, genome, guides_of, reversed_complement
from ledger.products import each, pairs, product, words

GENOME = genome()[0][1].upper()
TWO = f"-p {GENOME[20:32]} -p {reversed_complement(GENOME[210:225])}"
THREADS = words("-t 1 / -t 3 / -t 2 --device cpu")
TARGETS = words(
    "gsx {} -x dna.gsx / gsx {} dna.gsx / GSX_INDEX=dna.gsx gsx {} / cd lone && gsx {} / gsx {} -x lone / "
    "gsx {} lone / cd lone && gsx {} ./ / GSX_INDEX=lone/ gsx {} / gsx {} -r dna.fa / gsx {} -r dna.fa.bgz / "
    "gsx {} -r a.fa -r b.fna / gsx {} -x many.gsx / gsx {} many.gsx / gsx {} -x split.gsx / "
    "gsx {} -x odd.gsx / gsx {} -x kept.gsx / gsx {} -x old.dna.v4.gsx / gsx {} -r dna.2bit / "
    "GSX_CPU=baseline gsx {} -x dna.gsx / gsx {} -r - < dna.fa / gsx {} -r <(cat dna.fa.gz)")
QUERIES = words(
    "reads.fq / reads.fq.gz / reads.fq.bgz / reads.fa / reads.bam / reads.sam / reads.fq.zst / "
    "- < reads.fq / - < reads.fq.gz / - < words.csv / <(cat reads.fq) / -f words.txt / -f words.csv / "
    "words.tsv / -f words.fa / r1.fq r2.fq --tag-files / -f - < words.txt / "
    f"{TWO} / {TWO} -f words.tsv reads.fa")
SIDE_FILES = words(
    " / --unmatched un.fa / --unmatched un.fa.gz --summary sum.json / --summary sum.json.gz / --no-header / "
    "--batch 100 / --memory-limit 400MB / --whole-header / --summary /dev/stderr -q / -v / --progress json / "
    "--gpu-memory 1GB")
FILE_TARGETS = words("gsx {} -x files.gsx / gsx {} -r a.fa -r b.fna / gsx {} -x parts.gsx / gsx {} parts.gsx")
PROTEIN_TARGETS = words("gsx {} -x prot.gsx / gsx {} -r prot.fa / gsx {} -x protparts.gsx / gsx {} prot.gsx")
PROTEIN_QUERIES = words("peptides.fa / -p AIRDIQSF / -p 'MKV*' / -f peptides.fa / -p SEG -p QVEWL reads.fa")
BYTES_TARGETS = ["gsx {} -x bytes.gsx", "gsx {} bytes.gsx"]
BYTES_QUERIES = words("letters.tsv / -p quick / -p THE / -p 'a b' / -p '_fox;' -p ,dog")
CIRCLE_TARGETS = ["gsx {} -x circ.gsx", "gsx {} -r circ.fa"]


def of(command, targets):
    return [target.format(command) for target in targets]


SEARCHES = words(
    " / -k 1 / -k 2 / --iupac / --iupac -k 1 / --palindromes once / --strand fwd / --strand rev / "
    "--circular all / --circular chrM -k 1 / -k 1 --palindromes once / --strand both --palindromes twice")


def count():
    shapes = words(" / --by-record / -o out.tsv / -o out.tsv.gz / -o out / --format tsv / -o out.part")
    by_file = words(
        " / --matrix / --presence / --min-files 2 / --max-files 1 / --matrix --min-files 1 --max-files 1 / "
        "--presence --max-files 0 / --min-files 3")
    return [
        *pairs(of("count", TARGETS), QUERIES, SEARCHES, shapes, SIDE_FILES, THREADS),
        *pairs(of("count --by-mismatches", TARGETS[::3]),
               words("-k 0 / -k 2 / --iupac -k 1 / --palindromes once -k 1"), QUERIES[::3],
               words(" / --circular all / -o out.tsv / --no-header / --strand rev"), THREADS),
        *pairs(of("count --by-file", FILE_TARGETS), by_file, words(" / -k 1 / --iupac"),
               ["words.fa", "reads.fa", TWO],
               words(" / --no-header / --summary sum.json / -o out.tsv"), THREADS),
        *pairs(of("count", PROTEIN_TARGETS), PROTEIN_QUERIES,
               words(" / --equal IL / --equal IL,DN --by-record / --summary sum.json / -k 1"), THREADS[:2]),
        *product(of("count", BYTES_TARGETS), BYTES_QUERIES, words(" / --equal Tt / --by-record")),
        *product(of("count", CIRCLE_TARGETS), "span.txt",
                 words(" / --circular plasmid / --circular all -k 1 / --circular all --by-record / "
                       "--circular plasmid --circular linear --iupac"), THREADS[:2]),
    ]


LOCATE_FORMATS = words(
    " / --bed / --paf / --jsonl / --sam / --bam / --bedgraph / --bigwig cov.bw / --bigwig cov.bw --bed / "
    "--bigwig cov.bw -o hits.tsv / --format tsv / --format bed / --format paf / --format jsonl / "
    "--format gff3 / -o hits.gff / --format sam / --format bam / --format bedgraph / -o hits.bed / -o hits.bed.gz / -o hits.paf / "
    "-o hits.jsonl / -o hits.sam / -o hits.bam / -o hits.bg / -o hits.bdg.gz / -o hits.tsv.bgz / -o hits.txt / "
    "--format part / -o hits.part")


def locate():
    more = words(" / --max-hits 1 / --max-hits 0 / --sort query / --max-hits 2")
    by_place = words(" / --bed / --paf / --format tsv / -o hits.bed.gz / -o hits.paf / -o hits.tsv")
    return [
        *pairs(of("locate", TARGETS), LOCATE_FORMATS, QUERIES, SEARCHES, more, SIDE_FILES, THREADS),
        *pairs(of("locate", FILE_TARGETS), ["", "--by-file"], LOCATE_FORMATS, ["words.fa", TWO], THREADS[:2]),
        *pairs(of("locate", PROTEIN_TARGETS), PROTEIN_QUERIES, LOCATE_FORMATS,
               words(" / --equal IL / --equal IL,DN --max-hits 1 / --summary sum.json"), THREADS[:2]),
        *pairs(of("locate", BYTES_TARGETS), BYTES_QUERIES, words(" / --bed / --jsonl / --sam / --equal Tt")),
        *pairs(of("locate", CIRCLE_TARGETS), "span.txt", LOCATE_FORMATS,
               words("--circular plasmid / --circular all -k 1 / --circular all --max-hits 1 / "
                     "--circular all -k 1 --max-hits 1 / --circular linear --sort position"), THREADS[:2]),
        *product("gsx locate -x dna.gsx reads.fq --sort position", LOCATE_FORMATS),
        *pairs(of("locate --sort position", TARGETS), by_place, QUERIES[::2], SEARCHES, ["", "--max-hits 2"],
               ["", "--memory-limit 400MB", "--no-header"], THREADS),
    ]


def mem():
    lengths = words(
        "-L 12 / -L 20 / -L 15 --min-occ 2 / -L 12 --max-occ 1 /  / --min-length 18 / -L 12 --strand fwd / "
        "-L 12 --strand rev")
    formats = words(
        " / --places / --max-hits 1 / --bed / --paf / --jsonl / --fastmap / --coverage / --jsonl --places / "
        "--paf --max-hits 1 / --fastmap --max-occ 1 / --format tsv / --format bed / --format paf / "
        "--format jsonl / --format fastmap / -o m.bed / -o m.paf.gz / -o m.jsonl / -o m.tsv / --by-file / "
        "--places --max-hits 0 / --coverage -o m.tsv.gz")
    sets = words(
        "dna.fa / dna.fa.bgz / dna.2bit / dna.gsx / -x dna.gsx / -r dna.fa / -x many.gsx / "
        "-r a.fa -r b.fna / noeof.fa.bgz --allow-no-eof / circ.fa / prot.fa / -x kept.gsx")
    unique = words(" / --mum / --mum-ref / --mum --unique-both-strands")
    pair_formats = words(
        " / --paf / --jsonl / --mummer / --format mummer / -o p.paf.gz / -o p.jsonl / --format tsv")
    return [
        *pairs(of("mem", TARGETS), lengths, formats, QUERIES, SIDE_FILES, THREADS),
        *pairs(each("gsx mem --pairs", sets),
               words("reads.fq / dna.fa.gz / c.fa words.fa / - < reads.fa / - < reads.fq.bgz"),
               unique, pair_formats, words("-L 12 / -L 20 / -L 8 --strand fwd / -L 10 --strand rev"),
               SIDE_FILES, THREADS),
        *pairs(of("mem -L 3", [*PROTEIN_TARGETS, *BYTES_TARGETS]), ["peptides.fa", "letters.tsv"], formats),
        *product(of("mem -L 4", CIRCLE_TARGETS), "span.txt", ["", "--places", "--strand both"]),
    ]


def ms():
    outputs = words(
        " / --format text / --format u16 / --format u32 / -o ms.u16 / -o ms.u32 --offsets off.tsv / "
        "-o ms.txt.gz / --places pl.txt / --offsets off.tsv.gz / --format u32 --places pl.bin / "
        "--format u16 --places pl.gz --offsets off.tsv -o ms.out / --places pl.txt --offsets off.tsv")
    strands = words(
        " / --ending / --strand fwd / --strand rev / --ending --strand rev / --ending --strand both")
    return [
        *pairs(of("ms", TARGETS), outputs, strands, QUERIES, SIDE_FILES, THREADS),
        *pairs(of("ms", [*PROTEIN_TARGETS, *BYTES_TARGETS]), ["peptides.fa", "letters.tsv"], outputs,
               ["", "--ending"]),
    ]


def filter_reads():
    inputs = words(
        "reads.fq / reads.fq.gz / reads.fq.bgz / reads.fa / reads.bam / reads.sam / - < reads.fq / "
        "<(cat reads.fq.gz) / --unpaired inter.fq / --unpaired r1.fq r2.fq / inter.fq / reads.fq.zst")
    mates = words(
        "r1.fq r2.fq / r1.fq r2.fq.gz / --interleaved inter.fq / --interleaved - < inter.fq / "
        "--mates order r1.fq other1.fq / --mates names r1.fq r2.fq / --interleaved inter.fq --both / "
        "r1.fq r2.fq --both")
    matches = words(
        "--keep -L 20 / --drop -L 20 / --drop / --keep -L 12 --min-cover 0.5 / --drop -L 12 --min-cover 1 / "
        "--keep --min-length 30")
    outputs = words(
        " / -o o / -o o.gz / -o o --rest rest / --rest rest.gz / --by-record by.tsv / "
        "--by-record by.tsv.gz -o o / --summary sum.json -o o")
    two = words(
        " / -o o1.fq -O o2.fq / -o o1.fq -O o2.fq.gz / -o o1.fq -O o2.fq --rest s1.fq --rest2 s2.fq / "
        "--by-record by.tsv / -o o1.fq -O o2.fq --summary sum.json / --rest s1.fq --rest2 s2.fq.gz")
    more = words(" / --batch 100 / --memory-limit 400MB / -q / -v / --gpu-memory 1GB / --progress json")
    return [
        *pairs(of("filter", TARGETS), inputs, matches, outputs, more, THREADS),
        *pairs(of("filter", TARGETS), mates, matches, two, more, THREADS),
        *pairs(of("filter -L 3", [*PROTEIN_TARGETS, *BYTES_TARGETS]), ["peptides.fa", "reads.fa"],
               ["--keep", "--drop"], ["", "--by-record by.tsv"]),
    ]


DNA_TARGETS = words(
    "gsx {} dna.gsx / gsx {} -x dna.gsx / GSX_INDEX=dna.gsx gsx {} / cd lone && gsx {} / gsx {} lone / "
    "gsx {} -x many.gsx / gsx {} -r dna.fa / gsx {} -r dna.fa.bz2 / gsx {} -r a.fa -r dna.2bit / "
    "gsx {} -x split.gsx / gsx {} -r - < dna.fa / gsx {} -r noeof.fa.bgz --allow-no-eof / "
    "gsx {} -r dna.fa --whole-header")


def offtarget():
    guide = guides_of(genome()[0][1])[0]
    guides = words(
        f"guides.txt / guides.tsv / guides.csv / guides.fa / -p {guide} / -p {guide} guides.tsv / "
        "- < guides.tsv / <(cat guides.csv) / --all-sites / --all-sites -R sites.bed / "
        "--all-sites --guide-length 18 --guides-in regions.txt / --all-sites --guides-in - < regions.bed / "
        "--with-pam pams.txt / pams.txt / --without-pam pams.txt")
    searches = words(
        " / -k 2 / -k 5 --pam NGG --alt-pam NAG / --nuclease SpCas9 / --nuclease SpCas9-NG / "
        "--nuclease SpRY / --nuclease SaCas9 / --nuclease Cas12a / --nuclease NmCas9 / "
        "--pam TTTV --pam-side 5 / --pam NGG --pam-side 3 / --dna-bulge 1 -k 1 / --rna-bulge 1 -k 2 / "
        "--dna-bulge 1 --rna-bulge 2 -k 2 / --circular all / --circular chrM --circular chr2 / "
        "--stop-at 2:0 -k 5 / --stop-at 0:0 / -k 0 / --strand fwd / --strand rev --dna-bulge 1")
    outputs = words(
        " / --sites s.tsv / --sites s.bed / --sites s.bed.gz / --sites - -o t.tsv / "
        "--sites s.gff3 / --jsonl --sites s / --format cas-offinder --sites s / --format bed --sites s.txt / --format tsv --sites s.txt.gz / "
        "-o t.tsv.gz / --score none --sites s.tsv / --score mit --sites s.tsv / --by-file --sites s.tsv / "
        "--score scores.tsv --sites s.tsv / --max-hits 1 --sites s.tsv / --no-header --sites s.tsv / "
        "--max-hits 2 --format cas-offinder --sites s --no-header")
    more = words(" / --memory-limit 400MB / -q / -v / --gpu-memory 1GB / --progress json")
    return [
        *pairs(of("offtarget", DNA_TARGETS), guides, searches, outputs, more, THREADS),
        *each("gsx offtarget -x circ.gsx --all-sites -k 1",
              words(" / --circular all / --circular plasmid --sites s.bed / --circular all --sites s.tsv / "
                    "--circular all --dna-bulge 1")),
        *product(["gsx offtarget dna.gsx guides.tsv -k 4", "gsx offtarget -r dna.fa guides.tsv -k 4"],
                 words("--dna-bulge 1 / --rna-bulge 1 / --dna-bulge 2 --rna-bulge 1"),
                 words("--sites s.tsv / --format cas-offinder --sites - / --sites s.bed / "
                       "--max-hits 3 --sites s.tsv")),
        *each("gsx offtarget", words("prot.gsx guides.txt / bytes.gsx guides.txt / -r prot.fa guides.txt")),
    ]


def amplicon():
    primers = words(
        "primers.tsv / primers.csv / single.csv / single.fa / - < primers.tsv / <(cat single.fa) / "
        "primers.tsv primers.csv")
    searches = words(
        " / -k 1 / -k 2 --3prime 5:0 / -k 3 --3prime 4:1 / --max 250 / --min 190 -k 1 / --circular all / "
        "--circular chrM / -k 8 --min 0 --max 2000")
    outputs = words(
        " / --bed / --fasta / --jsonl / --format gff3 / --format tsv / --format bed / --format fasta / -o p.bed / -o p.fa.gz / "
        "-o p.tsv.gz / -o p.fasta")
    shapes = words(
        " / --inner / --flank 10 / --flank 500 / --max-hits 1 / --no-header / --inner --max-hits 1 / --by-file")
    more = words(" / --memory-limit 400MB / -q / -v / --gpu-memory 1GB / --progress json")
    return [
        *pairs(of("amplicon", DNA_TARGETS), primers, searches, outputs, shapes, more, THREADS),
        *product(of("amplicon", CIRCLE_TARGETS), "back.tsv --min 10",
                 words(" / --circular plasmid / --circular all"),
                 words(" / --bed / --fasta / --fasta --inner / --flank 3 / --bed --flank 40")),
        *each("gsx amplicon", words("prot.gsx primers.tsv / bytes.gsx primers.tsv / -r prot.fa primers.tsv")),
    ]


def merge():
    lines = []
    queries = {"iupac.tsv": "-f iupac.txt", "most.tsv": "--queries reads.fq"}
    options = {"iupac.tsv": "--iupac --max-hits 1", "most.tsv": "-k 1 --max-hits 1",
               "sorted.bed": "--sort position", "matrix.tsv": "--matrix", "presence.tsv": "--presence"}
    for names, index, usual in ((PARTS, "many.gsx", "--queries reads.fq"),
                                (FILE_PARTS, "parts.gsx", "-f words.fa")):
        for name in names:
            lines += pairs(f"gsx merge 0.{name} 1.{name}", ["", f"-x {index}"],
                           ["", queries.get(name, usual)],
                           sorted({"", options.get(name, "")}), words(" / -o out.tsv.gz / --no-header"))
            lines += product(f"gsx merge 0.{name} 0.{name}.json 1.{name} 1.{name}.json",
                             queries.get(name, usual),
                             options.get(name, ""), ["", "--summary sum.json"], ["", f"-x {index}"])
    return lines + each("gsx merge",
                        words("1.count.tsv 0.count.tsv -x many.gsx / 0.count.tsv / 0.count.tsv -x many.gsx / "
                              "0.count.tsv 0.count.tsv / 0.count.tsv 1.hits.tsv / "
                              "0.record.tsv 1.record.tsv -f words.txt / 0.hits.tsv 1.hits.tsv -p ACGT / "
                              "0.file.tsv 1.file.tsv -f words.fa --min-files 2 / "
                              "0.file.tsv 1.file.tsv -f words.fa --max-files 1 / "
                              "0.hits.bedgraph 1.hits.bedgraph --format bedgraph / "
                              "0.hits.bed 1.hits.bed --format bed --queries reads.fq / "
                              "0.hits.paf 1.hits.paf --format paf --queries reads.fq / "
                              "0.hits.jsonl 1.hits.jsonl --format jsonl / "
                              "0.count.tsv 1.count.tsv --format tsv / "
                              "0.hits.tsv 1.hits.tsv --queries reads.fq --tag-files / "
                              "0.hits.tsv 1.hits.tsv --queries reads.fa --whole-header / "
                              "0.hits.tsv 1.hits.tsv --queries reads.cram / "
                              "0.hits.tsv 1.hits.tsv --queries reads.cram --cram-reference ref.fa / "
                              "0.hits.tsv 1.hits.tsv --queries - < reads.fq / "
                              "<(gzip -c 0.count.tsv) 1.count.tsv / 0.count.tsv.json 1.count.tsv.json / "
                              "0.count.part 1.count.part / 0.hits.part 1.hits.part -x many.gsx / "
                              "0.hits.part 1.hits.part -o h.gff3 / 0.hits.part 1.hits.part --format bed --sort position / "
                              "0.hits.part 1.hits.part --queries reads.fq / 0.hits.part 1.hits.tsv / "
                              "1.hits.part 0.hits.part -x many.gsx / "
                              "0.hits.bed 1.hits.bed --sort query / 0.count.tsv 1.count.tsv -q / "
                              "0.count.tsv 1.count.tsv -v -t 1"))


TABLES = {"count": count, "locate": locate, "mem": mem, "ms": ms, "filter": filter_reads,
          "offtarget": offtarget, "amplicon": amplicon, "merge": merge}
