// Run by the set-up: provides OpenStack's software. With --check it only tells by its status whether it is there.
import { ensureSoftware, findSoftware } from './ensure-software.ts';

if (!process.argv.includes('--check')) await ensureSoftware();
else if ((await findSoftware()) === undefined) process.exitCode = 1;
