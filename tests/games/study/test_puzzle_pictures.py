"""Pictures of a puzzle's solution: every dot once, every bar from the line of 0."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from games.analysis.puzzles import Kind, puzzles
from games.study.puzzles.pictures import HIGH, Box, bid_bars, dot_grid
from games.study.puzzles.words import bars_of, solution


def dots_of(boxes: tuple[Box, ...]) -> list[tuple[int, int]]:
    """The dots in these boxes, by row and column."""
    return [
        (row, column)
        for box in boxes
        for row in range(int(box.y), int(box.y + box.height))
        for column in range(int(box.x), int(box.x + box.width))
    ]


@given(st.integers(1, 8000))
def test_each_dot_lies_once_in_the_grid(total: int) -> None:
    grid = dot_grid(total)
    dots = dots_of(grid.boxes)
    assert len(dots) == len(set(dots)) == total
    assert max(dots) < (grid.rows, 0)
    assert max(column for _row, column in dots) < grid.columns


def test_dots_lie_in_full_rows_about_four_times_as_wide_as_high() -> None:
    grid = dot_grid(72)
    assert (grid.columns, grid.rows, len(grid.boxes)) == (18, 4, 1)


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
    bars, zero = bid_bars(given_, best)
    own = bars[best].box
    assert bars[best].end == (own.y if own else 0)  # over it, though it hang
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
        assert abs(bar.box.x + bar.box.width / 2 - bar.middle) <= 0.002
        assert bar.end == bar.box.y or bar.hangs
        assert abs(ends[0 if each < 0 else 1] - zero) <= 0.002
        assert ends[0] >= 0
        assert ends[1] <= HIGH + 0.002


def test_bars_of_what_was_tried_tell_nothing_of_the_others() -> None:
    puzzle = next(each for each in puzzles() if each.kind is Kind.BID and each.answer == "3")
    other = replace(puzzle, points=(*puzzle.points[:2], *(7.5,) * 7))
    told, same = bars_of(puzzle, ["0", "1"]), bars_of(other, ["0", "1"])
    assert told == same
    assert [bar.bid for bar in told.bars if bar.box] == [0, 1]
    assert not any(bar.is_best for bar in told.bars)


def test_the_highest_bar_is_the_answer_s() -> None:
    for number, puzzle in enumerate(puzzles()):
        if puzzle.kind is Kind.BID:
            told = solution(number)
            assert told.bars is not None
            drawn = [(-bar.box.y, -bar.box.height, bar) for bar in told.bars.bars if bar.box]
            highest = max(drawn)[2]
            assert highest.is_best
            assert str(highest.bid) == told.answer
