"""What a run of tests took: its total and its ten slowest, by the clock and by processor.

A plugin, on in every run (``tests/conftest.py``). A test's processor time is its process's and
that of children that ended in it; those of servers that outlive a test are in none of them. All
tests of a run stand in ``.pytest_cache/v/xactika/times``, to be looked at."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterator

import pytest

_SLOWEST = 10
_KEY = "processor"


def _spent() -> float:
    """Processor seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


class Times:
    """Collects what each test took, from all workers, and tells it at the end."""

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.clock: dict[str, float] = {}
        self.processor: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        item.user_properties.append((_KEY, _spent()))
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: object
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if getattr(call, "when", "") == "teardown":
            began = dict(item.user_properties)[_KEY]
            report.user_properties = [(_KEY, _spent() - float(str(began)))]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if isinstance(report, pytest.SubtestReport):  # its time is in its test's
            return
        name = report.nodeid
        self.clock[name] = self.clock.get(name, 0) + report.duration
        if report.when == "teardown":
            self.processor[name] = float(str(dict(report.user_properties).get(_KEY, 0)))

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        if (cache := getattr(config, "cache", None)) is not None:  # may be switched off
            both = {
                name: (self.clock[name], self.processor.get(name, 0)) for name in self.clock
            }
            cache.set("xactika/times", both)
        slowest = sorted(self.clock, key=self.clock.__getitem__, reverse=True)[:_SLOWEST]
        if len(self.clock) <= _SLOWEST:
            return
        terminalreporter.section("slowest: seconds, of these processor")
        for name in slowest:
            took, spent = self.clock[name], self.processor.get(name, 0)
            terminalreporter.write_line(f"{took:7.2f} {spent:7.2f}  {name}")
        whole = time.perf_counter() - self.began
        spent = sum(self.processor.values())
        terminalreporter.write_line(
            f"{len(self.clock):,} tests in {whole:.0f} s, {spent:.0f} s of processor in tests"
        )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Times(), "times")
