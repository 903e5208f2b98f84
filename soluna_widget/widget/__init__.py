"""The anywidgets: requests in, state out."""

from soluna_widget.widget.table import SolunaWidget

__all__ = ["SolunaWidget"]
