// What TypeScript takes without the package.
export {};
