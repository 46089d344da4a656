"""The graph studio: settings read from an address, what they ask to count, and the chart.

Pure but for ``hands``, which reads finished deals, and ``panel``, which asks it.
"""
