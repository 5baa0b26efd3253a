"""The parts of scripts/ledger.py, which records what the program does.

  foreign     writers of BGZF, zstd, 2bit and BAM, and a small CRAM file
  inputs      the files that the cases read
  products    pairs of the values of dimensions
  searches    tables of cases: commands that search with queries
  texts       tables of cases: commands about a text, an index or short sequences
  requests    tables of cases: wrong requests, and what each option refuses
  pages       the options of the commands, from the pages of help; which of them cases use
  blanking    takes out of messages what differs from run to run
  recording   runs the cases and writes records
  comparing   shows how two recordings differ
  self_test   checks these parts without the program
"""
