// Lists as people have them: the names, sequences, counts and primers that are read from each form.
#include <doctest/doctest.h>

#include "records/lists/list_columns.hpp"
#include "support/lists.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

const std::string bom = "\xEF\xBB\xBF";

const std::vector<ListCase>& forms() {
  static const std::vector<ListCase> all = {
      {"sequences", "CATTACGT\nGACCAGTC\n", "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;",
       ":CATTACGT;:GACCAGTC;"},
      {"names, by tabs", "p1\tCATTACGT\np2\tGACCAGTC\n", "p1:CATTACGT;p2:GACCAGTC;",
       ":CATTACGT;:GACCAGTC;"},
      {"some with names", "p 1\tCATTACGT\nGACCAGTC\n", "p 1:CATTACGT;GACCAGTC:GACCAGTC;", ""},
      {"numbers as names", "1\tCATTACGT\n2\tGACCAGTC\n", "1:CATTACGT;2:GACCAGTC;",
       ":CATTACGT 1;:GACCAGTC 2;"},
      {"CSV", "p1,CATTACGT\np2,GACCAGTC\n", "p1:CATTACGT;p2:GACCAGTC;", ":CATTACGT;:GACCAGTC;"},
      {"CSV with a header and CRLF", bom + "Name,Sequence\r\np1,CATTACGT\r\np2,GACCAGTC\r\n",
       "p1:CATTACGT;p2:GACCAGTC;", ":CATTACGT;:GACCAGTC;"},
      {"semicolons", "p1;CATTACGT\np2;GACCAGTC\n", "p1:CATTACGT;p2:GACCAGTC;", ""},
      {"quotes", "\"a \"\"b\"\", c\",\"CATTACGT\"\n\"d\",\"GACCAGTC\"\n",
       "a \"b\", c:CATTACGT;d:GACCAGTC;", ""},
      {"quotes and tabs", "\"p1\"\t\"CATTACGT\"\np2\tGACCAGTC\n", "p1:CATTACGT;p2:GACCAGTC;", ""},
      {"a quote that is none", "5\" end\tCATTACGT\n", "5\" end:CATTACGT;", ""},
      {"blanks", "p1 CATTACGT\np2   GACCAGTC\n", "p1:CATTACGT;p2:GACCAGTC;", ""},
      {"a header", "name\tsequence\np1\tCATTACGT\n", "p1:CATTACGT;", ""},
      {"a header of one column", "Sequence\nCATTACGT\nGACCAGTC\n",
       "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;", ":CATTACGT;:GACCAGTC;"},
      {"a header of letters of bases", "tag\ncattacgt\n", "tag:tag;cattacgt:cattacgt;", ""},
      {"the same above capitals", "tag\nCATTACGT\n", "CATTACGT:CATTACGT;", ":CATTACGT;"},
      {"a word that is no known heading", "foo\nCATTACGT\n", "CATTACGT:CATTACGT;", ":CATTACGT;"},
      {"a wrong letter in the first line", "ACGXZQRT\nACGTACGT\nTTGGCCAA\n",
       "ACGXZQRT:ACGXZQRT;ACGTACGT:ACGTACGT;TTGGCCAA:TTGGCCAA;", ":ACGXZQRT;:ACGTACGT;:TTGGCCAA;"},
      {"the same in small letters", "acgxzqrt\nacgtacgt\n", "acgxzqrt:acgxzqrt;acgtacgt:acgtacgt;",
       ""},
      {"the same beside a name", "p1\tACGXZQRT\np2\tACGTACGT\n", "p1:ACGXZQRT;p2:ACGTACGT;", ""},
      {"a header alone", "name\tsequence\n", "", ""},
      {"swapped", "CATTACGT\talpha\nGACCAGTC\tbeta\n", "alpha:CATTACGT;beta:GACCAGTC;",
       ":CATTACGT;:GACCAGTC;"},
      {"swapped, with a header", "guide,name\nCATTACGT,TAG\nGACCAGTC,GAT\n",
       "TAG:CATTACGT;GAT:GACCAGTC;", ""},
      {"jellyfish dump -c", "CATTACGT 5\nGACCAGTC 12\n", "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;",
       ":CATTACGT 5;:GACCAGTC 12;"},
      {"KMC dump", "CATTACGT\t5\nGACCAGTC\t12\n", "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;",
       ":CATTACGT 5;:GACCAGTC 12;"},
      {"jellyfish dump", ">5\nCATTACGT\n>12\nGACCAGTC\n", "5:CATTACGT;12:GACCAGTC;", ""},
      {"uniq -c", "      5 CATTACGT\n     12 GACCAGTC\n", "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;",
       ":CATTACGT 5;:GACCAGTC 12;"},
      {"counts below a header", "barcode\tcount\nCATTACGT\t5\n", "CATTACGT:CATTACGT;",
       ":CATTACGT 5;"},
      {"counts first, below a header", "count,barcode\n5,CATTACGT\n7,GACCAGTC\n",
       "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;", ":CATTACGT 5;:GACCAGTC 7;"},
      {"counts behind another number", "barcode\tcluster\tcount\nCATTACGT\t1\t50\nGACCAGTC\t2\t7\n",
       "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;", ":CATTACGT 50;:GACCAGTC 7;"},
      {"umi_tools whitelist", "CATTACGT\tCATTACGA,CATTACGG\t145\t3,4\nGACCAGTC\t\t12\t\n",
       "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;", ":CATTACGT 145;:GACCAGTC 12;"},
      {"Cell Ranger", "CATTACGT-1\nGACCAGTC-1\n", "CATTACGT-1:CATTACGT;GACCAGTC-1:GACCAGTC;",
       ":CATTACGT;:GACCAGTC;"},
      {"GuideScan",
       "id,sequence,pam,chromosome,position,sense\ng1,CATTACGT,NGG,chr1,0,+\n"
       "g2,GACCAGTC,NGG,chr1,9,-\n",
       "g1:CATTACGT;g2:GACCAGTC;", ""},
      {"Benchling",
       "Position,Strand,Sequence,PAM,Specificity Score\n12,1,CATTACGT,TGG,98.1\n"
       "40,-1,GACCAGTC,AGG,71\n",
       "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;", ""},
      {"CRISPOR",
       "#seqId\tguideId\ttargetSeq\tmitSpecScore\nchr1\t7forw\tCATTACGT\t98\n"
       "chr1\t9rev\tGACCAGTC\t71\n",
       "7forw:CATTACGT;9rev:GACCAGTC;", ""},
      {"an order sheet",
       "Well Position,Name,Sequence,Scale\nA1,one,CATTACGT,25nm\nA2,two,GACCAGTC,25nm\n",
       "one:CATTACGT;two:GACCAGTC;", ""},
      {"IDT", "Sequence Name\tSequence (5'->3')\tTm\np1\tCATTACGT\t55.1\np2\tGACCAGTC\t56\n",
       "p1:CATTACGT;p2:GACCAGTC;", ""},
      {"a third column", "p1\tCATTACGT\tNGG\n", "p1:CATTACGT;", ""},
      {"empty cells", "p1,CATTACGT,,\n,GACCAGTC,,\n", "p1:CATTACGT;GACCAGTC:GACCAGTC;", ""},
      {"no cells with names", "\tCATTACGT\n\tGACCAGTC\n", "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;",
       ""},
      {"peptides", "PEPTIDE\nMKVLAEF\n", "PEPTIDE:PEPTIDE;MKVLAEF:MKVLAEF;", ""},
      {"peptides with names", "P1\tPEPTIDE\nP2\tMKVLAEF\n", "P1:PEPTIDE;P2:MKVLAEF;", ""},
      {"peptides before their names", "PEPTIDE\tsp|P1\nMKVLAEF\tsp|P2\n",
       "sp|P1:PEPTIDE;sp|P2:MKVLAEF;", ""},
      {"peptides, the others like codes", "PEPTIDE\nKRMA\nHKS\n",
       "PEPTIDE:PEPTIDE;KRMA:KRMA;HKS:HKS;", ""},
      {"codes of bases", "p1\tCATTRYGT\np2\tGAIIAGUC\n", "p1:CATTRYGT;p2:GAIIAGUC;", ""},
      {"comments", "# one\n\nCATTACGT\n# two\nGACCAGTC\n", "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;",
       ":CATTACGT;:GACCAGTC;"},
      {"comments behind blanks", " # one\nCATTACGT\n\t # two\n  #\nGACCAGTC\n #",
       "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;", ":CATTACGT;:GACCAGTC;"},
      {"a comment behind blanks names the columns", " #nr,seq,name\nx,CATTACGT,b\nx,GACCAGTC,c\n",
       "b:CATTACGT;c:GACCAGTC;", ""},
      {"comments behind blanks, before FASTA", " # one\n\t;two\n >a\nCATT\nACGT\n", "a:CATTACGT;",
       ":;"},
      {"comments before FASTA", "# one\n#two\n>a\nCATT\nACGT\n", "a:CATTACGT;", ":;"},
      {"comments alone", "# nothing\n", "", ":;"},
      {"a mark before FASTA", bom + ">a\nCATTACGT\n", "a:CATTACGT;", ":;"},
      {"FASTQ", "@a\nCATTACGT\n+\nIIIIIIII\n", "a:CATTACGT;", ""},
      {"a blank inside", "CATTACGT GACCAGTC\n",
       "ERRORlist: line 1: there is a blank inside the sequence; a line is SEQUENCE or "
       "NAME<tab>SEQUENCE",
       ""},
      {"two sequences by a comma", "CATTACGT,GACCAGTC\n",
       "ERRORlist: line 1: ',' inside the sequence; a line is SEQUENCE or NAME<tab>SEQUENCE; or "
       "every line has its columns separated by commas",
       ""},
      {"CR", "# one\rCATTACGT\r\rGACCAGTC\r", "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;",
       ":CATTACGT;:GACCAGTC;"},
      {"CR, with a header, without the last", bom + "Name;Sequence\rp1;CATTACGT\rp2;GACCAGTC",
       "p1:CATTACGT;p2:GACCAGTC;", ""},
      {"CR, then a wrong line", "CATTACGT\r#\rGAC,CAG\r",
       "CATTACGT:CATTACGT;ERRORlist: line 3: ',' inside the sequence; a line is SEQUENCE or "
       "NAME<tab>SEQUENCE; or every line has its columns separated by commas",
       ""},
      {"CR among comments before FASTA", "# one\r>a\rCATT\r",
       "ERRORlist: record 1, line 2: a carriage return inside a line; convert the line ends to LF "
       "or CRLF",
       ""},
      {"one line with semicolons", "CGTGGA;cat;1\n", "cat:CGTGGA;", ":CGTGGA 1;"},
      {"semicolons and decimal commas", "CGTGGA;cat;1,5\nGATTAC;dog;0,5\n",
       "cat:CGTGGA;dog:GATTAC;", ":CGTGGA;:GATTAC;"},
      {"semicolons behind commas in names", "a, b;CATTACGT\nc, d;GACCAGTC\n",
       "a, b:CATTACGT;c, d:GACCAGTC;", ""},
      {"commas before semicolons in notes", "a,CATTACGT,x;y\nb,GACCAGTC,z;w\n",
       "a:CATTACGT;b:GACCAGTC;", ""},
      {"a heading with an arrow", "Oligo;Sequence 5'-3'\np1;CATTACGT\n", "p1:CATTACGT;", ""},
      {"bases before their names", "Bases,Oligo name\nCATTACGT,TAG\nGACCAGTC,GAT\n",
       "TAG:CATTACGT;GAT:GACCAGTC;", ""},
      {"a line end in quotes", "name,note,sequence\np1,x,CATTACGT\np2,\"y\nGATTACA\n\",GACCAGTC\n",
       "p1:CATTACGT;ERRORlist: line 3: " + std::string(open_quote), ""},
      {"the same in the first row", "name,note,sequence\np1,\"y\nz\",CATTACGT\n",
       "ERRORlist: line 2: " + std::string(open_quote), ""},
      {"the same behind the sequence, by tabs", "p1\tCATTACGT\t\"y\nGATTACA\nz\"\n",
       "ERRORlist: line 1: " + std::string(open_quote), ""},
      {"the same in a name", "\"p\n1\",CATTACGT\n", "ERRORlist: line 1: " + std::string(open_quote),
       ""},
      {"a later line with blanks", "CATTACGT\nGACC AGTC\n",
       "CATTACGT:CATTACGT;ERRORlist: line 2: there is a blank inside the sequence; a line is "
       "SEQUENCE or NAME<tab>SEQUENCE",
       ""},
  };
  return all;
}

}  // namespace

TEST_CASE("lists of all forms give their names, sequences and counts") {
  const TemporaryFolder folder;
  for (const ListCase& list : forms())
    check_list(folder, list);
}

TEST_CASE("lists of primers give pairs, whatever columns they have") {
  const std::string pair = "p:ACGTACGT GACTGACT;";
  const std::string shape =
      "; a line is NAME<tab>FORWARD<tab>REVERSE, or two lines are NAME_F<tab>FORWARD and "
      "NAME_R<tab>REVERSE";
  const std::pair<std::string, std::string> lists[] = {
      {"p\tACGTACGT\tGACTGACT\n", pair},
      {"p\tACGTACGT\tGACTGACT\t58.1\t57.9\n", pair},
      {"Name\tForward primer\tReverse primer\r\np\tACGTACGT\tGACTGACT\r\n", pair},
      {"name,forward,Tm,reverse,Tm\np,ACGTACGT,58.1,GACTGACT,57.9\n", pair},
      {"reverse,forward,name\nGACTGACT,ACGTACGT,p\n", pair},
      {"p,ACGTACGT,GACTGACT\n", pair},
      {"p ACGTACGT GACTGACT\n", pair},
      {"\"p\";\"ACGTACGT\";\"GACTGACT\"\n", pair},
      {"p\t58.1\tACGTACGT\t57.9\tGACTGACT\n", pair},
      {"p\tACIT\tGACT\n", "p:ACIT GACT;"},
      {"sense,name,antisense\nACGTACGT,p,GACTGACT\n", pair},
      {"anti-sense;sense;name\nGACTGACT;ACGTACGT;p\n", pair},
      {"RP\tFP\tOligo name\nGACTGACT\tACGTACGT\tp\n", pair},
      {"id,fwd,rev\rp,ACGTACGT,GACTGACT\r", pair},
      {"p_1\tACGTACGT\tGACTGACT\np_2\tACGT\tGACT\n", "p_1:ACGTACGT GACTGACT;p_2:ACGT GACT;"},
      {"a\tACGTACGT\n", "ERRORlist: line 1: there are 2 columns" + shape},
      {"p\tACGT\n", "ERRORlist: line 1: there are 2 columns" + shape},
      {"p\tACGT\tGACT\np\tACGT\t\n",
       "p:ACGT GACT;ERRORlist: line 2: column 3 is empty, where the reverse primer should be" +
           shape},
      {"p_1\tACGT\tGACT\np_2\tACGT\t\n",
       "p_1:ACGT GACT;ERRORlist: line 2: column 3 is empty, where the reverse primer should be" +
           shape},
  };
  const TemporaryFolder folder;
  for (const auto& [text, wanted] : lists) {
    CAPTURE(text);
    CHECK(read_list(folder.write("list", text), ListForm::pairs, 1) == wanted);
  }
}

TEST_CASE("lists of single primers, two lines for a pair, give their names") {
  const std::string both = "p_F:ACGTACGT;p_R:GACTGACT;";
  const std::pair<std::string, std::string> lists[] = {
      {"p_F\tACGTACGT\np_R\tGACTGACT\n", both},
      {"p_F;ACGTACGT\np_R;GACTGACT\n", both},
      {"p_F ACGTACGT\np_R GACTGACT\n", both},
      {"Oligo Name,Bases\np_F,ACGTACGT\np_R,GACTGACT\n", both},
      {"Well,Name,Sequence 5'-3',Scale\nA1,p_F,ACGTACGT,STD\nA2,p_R,GACTGACT,STD\n", both},
      {"p f,ACGTACGT\np r,GACTGACT\n", "p f:ACGTACGT;p r:GACTGACT;"},
      {"p-1\tACGTACGT\np.RIGHT\tGACTGACT\n", "p-1:ACGTACGT;p.RIGHT:GACTGACT;"},
  };
  const TemporaryFolder folder;
  for (const auto& [text, wanted] : lists) {
    CAPTURE(text);
    CHECK(read_list(folder.write("list", text), ListForm::pairs, 1) == wanted);
    const ListColumns columns = find_list_columns(text, true, ListForm::pairs);
    CHECK(columns.note.ends_with("two lines are a pair of primers"));
  }
}

TEST_CASE("single primers without names of a pair are taken for pairs, which tells the cause") {
  for (const char* text : {"a,ACGTACGT\nb,GACTGACT\n", "a\tACGTACGT\nb\tGACTGACT\n"}) {
    const ListColumns columns = find_list_columns(text, true, ListForm::pairs);
    CHECK(columns.note.ends_with("two lines are a pair of primers"));
  }
}

TEST_CASE("the columns of a list are told by what has come of it") {
  CHECK_FALSE(tells_list_columns("", ListForm::named));
  CHECK_FALSE(tells_list_columns("# one\n\n", ListForm::named));
  CHECK_FALSE(tells_list_columns("ACGT", ListForm::named));
  CHECK_FALSE(tells_list_columns("name\tsequence\n", ListForm::named));
  CHECK_FALSE(tells_list_columns("barcode,count\n", ListForm::counted));
  CHECK_FALSE(tells_list_columns(";x\n;y\n", ListForm::named));
  CHECK(tells_list_columns("ACGT\n", ListForm::named));
  CHECK(tells_list_columns("MKVLA\n", ListForm::named));
  CHECK(tells_list_columns("name\tsequence\nx\tACGT\n", ListForm::named));
  CHECK(find_list_columns("a\tACGT\n", true, ListForm::named).is_plain());
  CHECK(find_list_columns("a\tACGT\tx\ty\n", true, ListForm::named).note ==
        "2 further columns are passed over");
  CHECK(find_list_columns("name,sequence\na,ACGT\n", true, ListForm::named).note ==
        "commas separate the columns; column 2 is the sequence, column 1 the name; the first line "
        "is taken for a header");
}

TEST_CASE("headings rank the columns of counts") {
  const std::string both = "ERRORlist: line 1: column 2 ('reads') and column 3 ('umis') may both";
  const std::pair<std::string, std::string> lists[] = {
      {"barcode,n_genes,n_counts\nCATTACGT,3,70\n", ":CATTACGT 70;"},
      {"barcode,n_genes,n_umis\nCATTACGT,3,70\n", ":CATTACGT 70;"},
      {"barcode,nFeature_RNA,nCount_RNA\nCATTACGT,3,70\n", ":CATTACGT 70;"},
      {"barcode,n_genes_by_counts,total_counts\nCATTACGT,3,70\n", ":CATTACGT 70;"},
      {"barcode,pct_counts_mt,total_counts\nCATTACGT,3,70\n", ":CATTACGT 70;"},
      {"barcode,gene_count,umi_count\nCATTACGT,3,70\n", ":CATTACGT 70;"},
      {"umi,n_cells,n_reads\nCATTACGT,3,70\n", ":CATTACGT 70;"},
      {"barcode,num_genes,num_reads\nCATTACGT,3,70\n", ":CATTACGT 70;"},
      {"barcode\tn_genes\tn_counts\nCATTACGT\t3\t70\n", ":CATTACGT 70;"},
      {"barcode,n,count\nCATTACGT,3,70\n", ":CATTACGT 70;"},
      {"barcode,n_genes\nCATTACGT,3\n", ":CATTACGT;"},
      {"barcode,reads,umis\nCATTACGT,3,70\n", both},
      {"barcode\treads\tumis\nCATTACGT\t3\t70\n", both},
  };
  const TemporaryFolder folder;
  for (const auto& [text, wanted] : lists) {
    CAPTURE(text);
    CHECK(read_list(folder.write("list", text), ListForm::counted, 1).substr(0, wanted.size()) ==
          wanted);
  }
}

TEST_CASE("an empty count is an error where other lines have one") {
  const std::string wrong = ":CATTACGT 5;ERRORlist: line ";
  const std::pair<std::string, std::string> lists[] = {
      {"barcode,count\nCATTACGT,5\nACGA,\n", wrong + "3: there is no count in column 2"},
      {"barcode,count\nCATTACGT,5\nACGA,\"\"\n", wrong + "3: there is no count in column 2"},
      {"barcode\tcount\nCATTACGT\t5\nACGA\t\n", wrong + "3: there is no count"},
      {"CATTACGT\t5\nACGA\t\n", wrong + "2: there is no count"},
      {"CATTACGT\t5\nACGA\t\"\"\n", wrong + "2: there is no count in column 2"},
      {"CATTACGT,5\nACGA,\n", wrong + "2: there is no count in column 2"},
      {"n,barcode,count\n1,CATTACGT,5\n2,ACGA\n", wrong + "3: there is no count in column 3"},
      {"barcode,count\nACGA,\n", "ERRORlist: line 2: there is no count in column 2"},
      {"5,CATTACGT\n,ACGA\n", wrong + "2: there is no count in column 1"},
      {"5\tCATTACGT\n\tACGA\n", wrong + "2: there is no count in column 1"},
      {",ACGA\n5,CATTACGT\n", "ERRORlist: line 1: there is no count in column 1"},
      {"x,CATTACGT,5\ny,ACGA,\n", wrong + "2: there is no count in column 3"},
      {"barcode,x\nCATTACGT,5\nACGA,\n", wrong + "3: there is no count in column 2"},
      {"5,CATTACGT,\n6,ACGA,2\n", ":CATTACGT 5;:ACGA 6;"},
      {",CATTACGT\n,ACGA\n", ":CATTACGT;:ACGA;"},
      {"CATTACGT\t5\nACGA\n", ":CATTACGT 5;:ACGA;"},
      {"CATTACGT\t\nACGA\t\n", ":CATTACGT;:ACGA;"},
  };
  const TemporaryFolder folder;
  for (const auto& [text, wanted] : lists) {
    CAPTURE(text);
    const std::string read = read_list(folder.write("list", text), ListForm::counted, 1);
    CHECK(read.substr(0, wanted.size()) == wanted);
  }
}

TEST_CASE("headings rank the columns of sequences and names") {
  const std::string rows = "\np1,CATTACGTCC,GACCAGTC\np2,CATTACGTCA,GACCAGTA\n";
  const std::string last = "p1:GACCAGTC;p2:GACCAGTA;";
  const std::pair<std::string, std::string> lists[] = {
      {"name,Genomic sequence,sgRNA sequence" + rows, last},
      {"name,Context sequence,Guide sequence" + rows, last},
      {"name,Flanking sequence,Guide" + rows, last},
      {"name,Genomic sequence,sgRNA" + rows, last},
      {"name,Scaffold sequence,gRNA sequence" + rows, last},
      {"name,Oligo sequence,Spacer sequence" + rows, last},
      {"name,Complement sequence,Sequence" + rows, last},
      {"name,amplicon sequence,primer sequence" + rows, last},
      {"name,Oligo 1,Target" + rows, last},
      {"name,Oligo 1,Oligo 2,Target\np,CATT,GACC,TTACG\n", "p:TTACG;"},
      {"Marker,Tm,Sequence\np,58.1,CATTACGT\n", "p:CATTACGT;"},
      {"taxid,accession,sequence\n9606,p,CATTACGT\n", "p:CATTACGT;"},
      {"Chromosome,Locus,sequence\nchr1,p,CATTACGT\n", "p:CATTACGT;"},
      {"library,file,barcode\nx,p.fq,CATTACGT\nx,q.fq,GACCAGTC\n", "p.fq:CATTACGT;q.fq:GACCAGTC;"},
      {"gene_id,UID,seq\nx,p,CATTACGT\nx,q,GACCAGTC\n", "p:CATTACGT;q:GACCAGTC;"},
      {"name,sequence,note\np,CATTACGT,x\np,GACCAGTC,y\n", "p:CATTACGT;p:GACCAGTC;"},
      {"locus,Guide ID,sequence\nx,p,CATTACGT\ny,q,GACCAGTC\n", "p:CATTACGT;q:GACCAGTC;"},
      {"gene,seq,UID\nx,CATTACGT,p\nx,GACCAGTC,q\n", "p:CATTACGT;q:GACCAGTC;"},
      {"Target Gene ID,Target Gene Symbol,sgRNA Target Sequence,Target Context Sequence\n"
       "1,x,CATTACGT,ACATTACGTC\n1,x,GACCAGTC,AGACCAGTCC\n",
       "x:CATTACGT;x:GACCAGTC;"},
      {"Target Gene ID,Target Gene Symbol,Target Transcript,Genomic Sequence,Strand,sgRNA Target "
       "Sequence,Target Context Sequence,PAM Sequence,Exon Number,Rule Set 2 score\n"
       "1,x,NM_1,NC_1.1,sense,CATTACGT,ACATTACGTC,AGG,2,0.6\n"
       "1,x,NM_1,NC_1.1,antisense,GACCAGTC,AGACCAGTCC,TGG,3,0.7\n",
       "x:CATTACGT;x:GACCAGTC;"},
      {"Gene ID,Gene Symbol,sgRNA_id,sequence\n1,x,p,CATTACGT\n1,x,q,GACCAGTC\n",
       "p:CATTACGT;q:GACCAGTC;"},
  };
  const TemporaryFolder folder;
  for (const auto& [text, wanted] : lists) {
    CAPTURE(text);
    CHECK(read_list(folder.write("list", text), ListForm::named, 1) == wanted);
  }
}

TEST_CASE("primers have the names of a column whose heading is not known") {
  const std::string pair = "p:CATTACGTCAGG GACCAGTCGATT;";
  const std::string lists[] = {
      "Marker\tTm\tForward\tReverse\np\t58\tCATTACGTCAGG\tGACCAGTCGATT\n",
      "locus,forward,len,reverse\np,CATTACGTCAGG,90,GACCAGTCGATT\n",
      "Locus, Repeat motif, Primer sequence (F), Primer sequence (R), Ta\n"
      "p, (CA)12, CATTACGTCAGG, GACCAGTCGATT, 58\n",
      "Chromosome,Marker,Forward,Reverse\nchr1,p,CATTACGTCAGG,GACCAGTCGATT\n",
      "Band,Forward,Tm,Reverse\np,CATTACGTCAGG,58,GACCAGTCGATT\n",
  };
  const TemporaryFolder folder;
  for (const std::string& text : lists) {
    CAPTURE(text);
    CHECK(read_list(folder.write("list", text), ListForm::pairs, 1) == pair);
  }
}
