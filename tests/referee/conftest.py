import pytest

from companion.referee.search import Inquiry


@pytest.fixture
def searched(monkeypatch):
    """The inquiries that were made, in order."""
    made, honest = [], Inquiry.explain

    def explain(inquiry, *args, **options):
        made.append(inquiry)
        return honest(inquiry, *args, **options)

    monkeypatch.setattr(Inquiry, "explain", explain)
    return made
