// Loaded before the program that is measured: at SIGUSR2 it collects its garbage, so that what is left is what it needs.
process.on('SIGUSR2', () => globalThis.gc?.());
