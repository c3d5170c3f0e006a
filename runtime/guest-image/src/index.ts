export { cpioArchive, type CpioEntry } from './cpio-archive.ts';
export { buildDemoDisk, type DemoDiskOptions } from './demo-disk.ts';
export { ensureGuestImage, findGuestImage, type GuestImage, type GuestImageOptions } from './ensure-guest-image.ts';
export { GuestImageError, type GuestImageErrorCode } from './guest-image-error.ts';
export { isGuestWord, KERNEL_WORDS, type GuestWord } from './guest-kernel-words.ts';
