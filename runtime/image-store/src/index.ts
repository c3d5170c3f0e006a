export type { KernelParts } from './copy-kernel.ts';
export { ImageStoreError, isImageNotFound, type ImageStoreErrorCode } from './image-store-error.ts';
export { ImageStore, openImageStore, type StoredImage } from './image-store.ts';
export type { ImportOptions, ImportProgress } from './import-options.ts';
export { mirrorImages } from './mirror-images.ts';
