export { buildOnce, type BuiltDirectory } from './build-once.ts';
export { FilesError, isMissingProgram, type FilesErrorCode } from './files-error.ts';
export { lockFile, type LockFileOptions } from './lock-file.ts';
export { readIfThere } from './read-if-there.ts';
export { isDraft, writeFileSafely, type WriteFileSafelyOptions } from './write-file-safely.ts';
