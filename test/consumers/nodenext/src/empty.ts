// A baseline for the compiler: a program without the package.
export {};
