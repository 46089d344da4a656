"""Pictures of a puzzle's solution: every dot once, every bar from the line of 0."""

from hypothesis import given
from hypothesis import strategies as st

from games.analysis.puzzles import Kind, puzzles
from games.study.puzzles.pictures import HIGH, Box, bid_bars, dot_grid
from games.study.puzzles.words import solution


def dots_of(boxes: tuple[Box, ...]) -> list[tuple[int, int]]:
    """The dots in these boxes, by row and column."""
    return [
        (row, column)
        for box in boxes
        for row in range(int(box.y), int(box.y + box.height))
        for column in range(int(box.x), int(box.x + box.width))
    ]


@given(st.integers(1, 8000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_each_dot_lies_once_in_the_grid_and_the_first_ones_count(of: tuple[int, int]) -> None:
    counted, total = of
    grid = dot_grid(counted, total)
    first, rest = dots_of(grid.counted), dots_of(grid.rest)
    assert (len(first), len(rest)) == (counted, total - counted)
    both = first + rest
    assert sorted(both) == sorted(set(both))
    assert max(both) < (grid.rows, grid.wide)
    if first and rest:
        assert max(first) < min(rest)


def test_many_dots_lie_in_full_rows_about_six_times_as_wide_as_high() -> None:
    grid = dot_grid(72, 72)
    assert (grid.rows, len(grid.counted)) == (4, 1)
    assert dot_grid(2, 4).wide == 20, "four dots are no balls"


@given(
    st.lists(st.floats(-8, 8), min_size=9, max_size=9),
    st.integers(0, 8),
    st.integers(0, 8),
)
def test_a_bar_is_as_high_as_its_points_on_one_scale(
    points: list[float], best: int, forbidden: int
) -> None:
    given_: list[float | None] = [*points]
    given_[forbidden] = None
    bars, zero, middle, top = bid_bars(given_, best)
    assert middle == best + 0.5
    own = bars[best].box
    assert top == (own.y if own else zero)
    known = [each for each in given_ if each is not None]
    extent = max(*known, 0.0) - min(*known, 0.0)
    for bar, each in zip(bars, given_, strict=True):
        assert bar.is_best is (bar.bid == best)
        if each is None:
            assert bar.box is None
            continue
        assert bar.box is not None
        assert abs(bar.box.height * extent - abs(each) * HIGH) <= 0.01 * max(extent, 1)
        ends = (bar.box.y, bar.box.y + bar.box.height)
        assert abs(ends[0 if each < 0 else 1] - zero) <= 0.002
        assert ends[0] >= 0
        assert ends[1] <= HIGH + 0.002


def test_a_solution_s_dots_are_what_its_sentence_counts() -> None:
    for number, puzzle in enumerate(puzzles()):
        if puzzle.kind is Kind.LEAD:
            told = solution(number)
            assert told.dots is not None
            assert len(dots_of(told.dots.rest)) == len(told.cards)
        elif puzzle.kind is Kind.BID:
            told = solution(number)
            assert told.bars is not None
            drawn = [(-bar.box.y, -bar.box.height, bar) for bar in told.bars.bars if bar.box]
            highest = max(drawn)[2]
            assert highest.is_best
            assert str(highest.bid) == told.answer
