@rem package.json says `exec node …` so that a shell gives way to the program and signals to npm reach it. cmd.exe has no exec: this is one.
@%*
