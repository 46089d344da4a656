"""The school's own system, by LTI 1.3: its students come in by one press, and of what it says
of them nothing is kept but a sealed number. Imported only where ``settings.LTI`` is on.
"""
