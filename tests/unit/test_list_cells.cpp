// The cells of lists: what is left out of them, and the errors of those that are no sequences.
#include <doctest/doctest.h>

#include <algorithm>

#include "records/lists/list_columns.hpp"
#include "support/lists.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("cells are read without what programs and people put around sequences") {
  const std::string nbsp = "\xC2\xA0", both = "p:CATTACGT;q:GACCAGTC;";
  const TemporaryFolder folder;
  for (const std::string& cell :
       {std::string("5'-CATTACGT-3'"), std::string("5' CATTACGT 3'"), std::string("'CATTACGT'"),
        std::string("=\"CATTACGT\""), std::string("\"=\"\"CATTACGT\"\"\""),
        nbsp + "CATTACGT" + nbsp, "CATTACGT" + nbsp + " "}) {
    for (const std::string separator : {",", "\t", ";"}) {
      CAPTURE(cell + separator);
      const std::string first = "p" + separator + cell + "\n",
                        other = "q" + separator + "GACCAGTC\n";
      CHECK(read_list(folder.write("list", first + other), ListForm::named, 1) == both);
      CHECK(read_list(folder.write("list", "Name" + separator + "Sequence\n" + first + other),
                      ListForm::named, 1) == both);
    }
  }
  CHECK(read_list(folder.write("list", "5'-CATTACGT-3'\nGACCAGTC\n"), ListForm::named, 1) ==
        "CATTACGT:CATTACGT;GACCAGTC:GACCAGTC;");
}

TEST_CASE("an error names the line and the odd cell, whatever separates columns") {
  struct Case {
    const char* rows;    ///< with commas
    const char* wanted;  ///< what comes before the error, and the line, the cell and its column
    ListForm form = ListForm::named;
  };
  const Case cases[] = {
      {"A1,p1,CAT+ACGT\nA2,p2,GACCAGTC\nA3,p3,GACCAGTT\n", "1: 'CAT+ACGT' in column 3"},
      {"A1,p1,GACCAGTC\nA2,p2,p2\nA3,p3,GACCAGTT\n", "p1:GACCAGTC;2: 'p2' in column 3"},
      {"A1,p1,n/a\nA2,p2,n/a\nA3,p3,GACCAGTC\nA4,p4,GACCAGTT\n", "1: 'n/a' in column 3"},
      {"A1,p1,x-y\nA2,p2,GACCAGTC\nA3,p3,GACCAGTT\n", "1: 'x-y' in column 3"},
      {"guide 1,x-y\nguide 2,GACCAGTC\nguide 3,GACCAGTT\n", "1: 'x-y' in column 2"},
      {"Well,Name,Sequence\nA1,p1,CAT+ACGT\nA2,p2,GACCAGTC\nA3,p3,GACCAGTT\n",
       "2: 'CAT+ACGT' in column 3"},
      {"Well,Name,Sequence\nA1,p1,n/a\nA2,p2,GACCAGTC\nA3,p3,GACCAGTT\n", "2: 'n/a' in column 3"},
      {"Well,Name,Sequence\nA1,p1,n/a\nA2,p2,GACCAGTC\nA3,p3,n/a\n", "2: 'n/a' in column 3"},
      {"Name,Sequence\np1,CATTACGT\np2,n/a\n", "p1:CATTACGT;3: 'n/a' in column 2"},
      {"p1,CATTACGT\np2,n/a\n", "p1:CATTACGT;2: 'n/a' in column 2"},
      {"CATTACGT,p1\nn/a,p2\nGACCAGTT,p3\n", "p1:CATTACGT;2: 'n/a' in column 1"},
      {"n/a,p1\nCATTACGT,p2\nGACCAGTT,p3\n", "1: 'n/a' in column 1"},
      {"CATTACGT,p1\nGACC4GTC,p2\nGACCAGTT,p3\n", "p1:CATTACGT;2: 'GACC4GTC' in column 1"},
      // Names of letters alone.
      {"A1,BamHI,GGATCC\nA2,EcoRI,n/a\nA3,KpnI,GGTACC\n", "BamHI:GGATCC;2: 'n/a' in column 3"},
      {"A1,HindIII,AAGCTT\nA2,EcoRI,n/a\nA3,BsrDI,GCAATG\n", "HindIII:AAGCTT;2: 'n/a' in column 3"},
      {"A1,MYC,CATTACGT\nA2,KRAS,n/a\n", "MYC:CATTACGT;2: 'n/a' in column 3"},
      {"BamHI,GGATCC\nEcoRI,n/a\n", "BamHI:GGATCC;2: 'n/a' in column 2"},
      // Names of one letter, which are bases, too.
      {"A,ACGT\nC,GGAT\np,CAT+ACGT\n", "A:ACGT;C:GGAT;3: 'CAT+ACGT' in column 2"},
      {"A,ACGT\np,CAT+ACGT\n", "A:ACGT;2: 'CAT+ACGT' in column 2"},
      {"p,CAT+ACGT\nA,ACGT\nC,GGAT\n", "1: 'CAT+ACGT' in column 2"},
      {"ACGT,A\nGGAT,C\nCAT+ACGT,p\n", "A:ACGT;C:GGAT;3: 'CAT+ACGT' in column 1"},
      {"ACGT,A\nGGAT,C\nCAT+ACGT,T\n", "A:ACGT;C:GGAT;3: 'CAT+ACGT' in column 1"},
      // Primers.
      {"A1,p_F,GACCAGTC\nA2,p_R,n/a\n", "p_F:GACCAGTC;2: 'n/a' in column 3", ListForm::pairs},
      {"Well,Name,Sequence\nA1,p_F,n/a\nA2,p_R,GACCAGTC\n", "2: 'n/a' in column 3",
       ListForm::pairs},
      {"Name,Sequence,Scale\np_F,GACCAGTC,25\np_R,n/a,25\n", "p_F:GACCAGTC;3: 'n/a' in column 2",
       ListForm::pairs},
      {"p,GACCAGTC,GACCAGTT\nq,n/a,GACCAGTA\n", "p:GACCAGTC GACCAGTT;2: 'n/a' in column 2",
       ListForm::pairs},
      {"p,GACCAGTC,GACCAGTT\nq,GACCAGTA,n/a\n", "p:GACCAGTC GACCAGTT;2: 'n/a' in column 3",
       ListForm::pairs},
      // Barcodes.
      {"barcode,count\nCATTACGT,5\nn/a,3\n", ":CATTACGT 5;3: 'n/a' in column 1", ListForm::counted},
      {"CATTACGT,5\nn/a,3\n", ":CATTACGT 5;2: 'n/a' in column 1", ListForm::counted},
  };
  const TemporaryFolder folder;
  for (const auto& [rows, wanted, form] : cases) {
    for (const char separator : {',', ';', '\t'}) {
      std::string text = rows;
      std::ranges::replace(text, ',', separator);
      CAPTURE(text);
      std::string error = wanted;
      error.insert(error.rfind(';') + 1, "ERRORlist: line ");
      CHECK(read_list(folder.write("list", text), form, 1).starts_with(error + " is no sequence"));
    }
  }
  // A line of one cell is a pattern as that of -p, which may match nowhere.
  CHECK(read_list(folder.write("list", "CATTACGT\nCAT+ACGT\n"), ListForm::named, 1) ==
        "CATTACGT:CATTACGT;CAT+ACGT:CAT+ACGT;");
  CHECK(read_list(folder.write("list", "p1,CAT ACGT\np2,GACCAGTC\n"), ListForm::named, 1)
            .starts_with("ERRORlist: line 1: there is a blank inside the sequence"));
}

TEST_CASE("rows of separators are blank, and sep= tells the separator") {
  const TemporaryFolder folder;
  const std::string both = "p:CATTACGT;q:GACCAGTC;";
  for (const char* text :
       {",,\np,CATTACGT,x\n,,\n , ,\nq,GACCAGTC,y\n,,\n", "p\tCATTACGT\n\t\t\nq\tGACCAGTC\n\t\n",
        "sep=;\np;CATTACGT\nq;GACCAGTC\n", "sep=,\r\nName,Sequence\r\np,CATTACGT\r\nq,GACCAGTC\r\n",
        "sep=|\np|CATTACGT\nq|GACCAGTC\n"}) {
    CAPTURE(text);
    CHECK(read_list(folder.write("list", text), ListForm::named, 1) == both);
  }
}

TEST_CASE("a line that does not fit the columns before it is an error with its number") {
  std::string text;
  for (int i = 0; i < 10000; ++i)
    text += std::to_string(i) + ",CATTACGTCATTACGT,x\n";
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& line) {
    const std::string read = read_list(folder.write("list", text + line), ListForm::named, 1 << 20);
    return read.substr(std::min(read.find("ERROR"), read.size()));
  };
  CHECK(error_of("x,y\n").empty());
  CHECK(error_of("CATTACGT\n") == "");
  CHECK(
      error_of("x,\n") ==
      "ERRORlist: line 10001: column 2 is empty, where the sequence should be; a line is SEQUENCE "
      "or NAME<tab>SEQUENCE");
}
