source tests/lang/files/self.cmd
