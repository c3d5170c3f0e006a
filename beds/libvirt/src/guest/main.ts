// Run by the set-up: provides the guest image. With --check it only tells by its status whether the image is there.
import { ensureGuestImage, findGuestImage } from '@smalt/guest-image';

if (!process.argv.includes('--check')) await ensureGuestImage();
else if (!(await findGuestImage())) process.exitCode = 1;
