export { DiskImageError, type DiskImageErrorCode } from './disk-image-error.ts';
export { buildFatImage, type FatImageOptions } from './fat/build-fat-image.ts';
export { checkImageFiles, type ImageFile } from './file-tree.ts';
export { buildIsoImage, type IsoImageOptions } from './iso/build-iso-image.ts';
export { buildQcow2, type Qcow2Options } from './qcow2/build-qcow2.ts';
export { describeDiskImage, IMAGE_HEAD_BYTES, type DiskImageDescription } from './qcow2/describe-disk-image.ts';
