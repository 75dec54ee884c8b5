"""Probing of answers: the checker's questions, and the code that replies to them in the answer's process.

The checker never accesses a student's objects. It asks a
:class:`~d2lhybrid.internals.course.probing.session.Session` to use them, and judges the returned plain
data. In a notebook, the session is in the same process. When submissions are marked, the session is in another process,
which receives the same questions through a pipe. No code in this package contains the right answers.
"""

from .codec import CodecError, Opaque, decode, encode
from .session import AnswerError, Session

__all__ = ["AnswerError", "CodecError", "Opaque", "Session", "decode", "encode"]
