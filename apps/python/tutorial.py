"""A tour of the package gsx, in cells that an editor or Jupyter runs one by one.

    python tutorial.py [FOLDER]      runs all of it, and writes two plots to FOLDER

It takes the genome of phage lambda and a thousand reads from `data/` of the repository; $GSX_DATA
names another folder. The plots need matplotlib.
"""

# %% [markdown]
# # Phage lambda
#
# First, an index of the genome. It is in memory; `save` makes a file of it, which `gsx.open` maps.

# %%
import gzip
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

import gsx

data = Path(os.environ.get("GSX_DATA", Path(__file__).resolve().parents[2] / "data"))
folder = Path(sys.argv[1]) if __name__ == "__main__" and len(sys.argv) > 1 else Path(tempfile.mkdtemp())

index = gsx.build(data / "lambda.fa")
index.save(folder / "lambda.gsx")
index = gsx.open(folder / "lambda.gsx")
print(index)
print("first bases:", index.extract(0, 0, 60))

# %% [markdown]
# ## Reads
#
# A batch of sequences may be a list, as here, or a NumPy or Arrow array, which is taken as it lies in
# memory. Most of these reads have errors, so few of them occur as they are; with mismatches, more do.

# %%
with gzip.open(data / "reads.fq.gz", "rt") as file:
    reads = [line.strip() for i, line in enumerate(file) if i % 4 == 1]
forward, reverse = index.count(reads)
print(f"{np.count_nonzero(forward + reverse)} of {len(reads)} reads occur exactly,")
starts = [read[:30] for read in reads]
for mismatches in range(4):
    forward, reverse = index.count(starts, mismatches=mismatches)
    found = np.count_nonzero(forward + reverse)
    print(f"{found} of their first 30 bases do with at most {mismatches} mismatches")

# %% [markdown]
# ## Where they are
#
# `locate` gives columns, of which `pandas.DataFrame(hits)` or `polars.DataFrame(hits)` makes a table.

# %%
hits = index.locate(starts, mismatches=3)
print({name: column[:3] for name, column in hits.items()})
length = index.records.lengths[0]
steps = np.zeros(length + 1, dtype=np.int64)
np.add.at(steps, hits["start"], 1)
np.add.at(steps, hits["end"], -1)
coverage = np.cumsum(steps[:-1])
print(f"mean coverage by the first 30 bases of reads: {coverage.mean():.2f}")

# %% [markdown]
# ## What repeats
#
# The mappability of a position is 1 divided by the places of the k-mer that begins there. The spectrum
# tells for every k how many k-mers there are, and how many of them occur once.

# %%
mappability = index.mappability(12)[0]
spectrum = index.kmer_spectrum()
share = spectrum["unique"] / spectrum["distinct"]
print(f"{np.mean(mappability[~np.isnan(mappability)] == 1):.1%} of the 12-mers begin at a place of their own")
print(f"all k-mers of {spectrum['k'][-1]} bases are unique")

# %% [markdown]
# ## A guide
#
# The sites of a CRISPR guide, and how specific it is.

# %%
summary, sites = index.offtarget_sites(["CAGCAAATACCGAAATATTT"])
for start, strand, mismatches, site in zip(sites["start"], sites["strand"], sites["mismatches"],
                                           sites["site"]):
    print(f"{start:6} {'+' if strand > 0 else '-'} {mismatches} {site}")
print(f"specificity {summary['specificity'][0]:.1f} %")

# %% [markdown]
# ## Two plots


# %%
def plot_coverage(axes):
    window = 500
    means = coverage[:length // window * window].reshape(-1, window).mean(axis=1)
    axes.fill_between(np.arange(len(means)) * window / 1000, means, step="post")
    axes.set(title="Reads of phage lambda", xlabel="position (kb)", ylabel="mean coverage",
             xlim=(0, length / 1000), ylim=(0, None))


def plot_spectrum(axes):
    axes.plot(spectrum["k"], 100 * share)
    axes.set(title="K-mers of phage lambda", xlabel="k", ylabel="unique k-mers (% of the distinct)",
             xlim=(1, spectrum["k"][-1]), ylim=(0, 101))


try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    print("no plots: there is no matplotlib")
else:
    for name, plot in {"coverage": plot_coverage, "spectrum": plot_spectrum}.items():
        figure, axes = pyplot.subplots(figsize=(7, 3.5), layout="constrained")
        plot(axes)
        figure.savefig(folder / f"{name}.png", dpi=120)
        pyplot.close(figure)
        print("wrote", folder / f"{name}.png")
