"""Makes command lines of dimensions: lists of words, one of which takes its place in each line."""

import itertools


def joined(*parts):
    """The parts with one blank between them; empty ones leave none."""
    return " ".join(part.strip() for part in parts if part.strip())


def words(text):
    """What " / " separates in the text; it may be empty."""
    return text.split(" / ")


def product(*dimensions):
    """Each value of each dimension with all others. A dimension that is a string has one value."""
    values = [[d] if isinstance(d, str) else d for d in dimensions]
    return [joined(*row) for row in itertools.product(*values)]


def rows_of_pairs(sizes):
    """Rows with a number below each size, such that any two numbers of two places are in some row.

    Each row begins with a pair that is missing, and goes on with what adds most pairs; of several, with
    what has been taken least. The rows depend on the sizes alone.
    """
    places = range(len(sizes))
    if len(sizes) == 1:
        return [[value] for value in range(sizes[0])]
    missing = {(a, x, b, y): None for a, b in itertools.combinations(places, 2)
               for x in range(sizes[a]) for y in range(sizes[b])}
    taken = [[0] * size for size in sizes]
    rows = []
    while missing:
        a, x, b, y = next(iter(missing))
        row = {a: x, b: y}
        for place in places:
            if place in row:
                continue

            def gain(value, place=place):
                pairs = ((min(p, place), max(p, place)) for p in row)
                return sum((p, (row | {place: value})[p], q, (row | {place: value})[q]) in missing
                           for p, q in pairs)
            row[place] = max(range(sizes[place]), key=lambda v: (gain(v), -taken[place][v], -v))
        for p, q in itertools.combinations(places, 2):
            missing.pop((p, row[p], q, row[q]), None)
        for place in places:
            taken[place][row[place]] += 1
        rows.append([row[place] for place in places])
    return rows


def pairs(*dimensions):
    """Each two values of any two dimensions, in as few lines as a simple rule finds."""
    values = [[d] if isinstance(d, str) else list(d) for d in dimensions]
    return [joined(*(values[place][at] for place, at in enumerate(row)))
            for row in rows_of_pairs([len(v) for v in values])]


def each(before, values, after=""):
    """A line for each value, between two parts."""
    return [joined(before, value, after) for value in values]


def table(lines):
    """A line for each key and each of its words."""
    return [line for before, text in lines.items() for line in each(before, words(text))]
