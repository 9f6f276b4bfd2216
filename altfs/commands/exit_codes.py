"""Exit codes of the command line."""

#: The command has done its task, and the answer is yes.
OK = 0
#: The answer is no: sets are missing, a study is incomplete, or something is wrong with it.
NO = 1
#: The arguments, the configuration or the data cannot be used.
REFUSED = 2
#: 128 + SIGINT, as shells report programs that a signal ended.
INTERRUPTED = 130
#: 128 + SIGPIPE.
CLOSED_PIPE = 141
