import { ImageStoreError } from './image-store-error.ts';

/** Whether an error of the file system has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

/** What an error of the file system means here; errors of this package and of callers pass as they are. */
export function storeError(error: unknown, directory: string): unknown {
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) {
    const message = `There is no room for the image in ${directory}; make room, or remove images with smalt image remove`;
    return new ImageStoreError('disk-full', message, { cause: error });
  }
  if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
    const message = `The images in ${directory} cannot be changed by you; become root`;
    return new ImageStoreError('store-failed', message, { cause: error });
  }
  return error;
}
