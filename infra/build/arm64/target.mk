MACHINE := aarch64
