export { isXdrError, XdrError, type XdrErrorCode } from './error.ts';
export { XdrReader } from './reader.ts';
export { XdrWriter } from './writer.ts';
