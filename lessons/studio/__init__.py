"""The graph studio: settings read from an address, what they ask to count, and the chart.

Pure but for ``selectors``, which reads finished deals only.
"""
