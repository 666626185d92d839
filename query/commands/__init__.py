"""The commands that read: one module each, imported only when its command is asked for."""
