import { generateKinds } from '@smalt/kind/generate';

import { fleetKinds } from '../kinds/fleet-kinds.ts';

const isCheck = process.argv.includes('--check');
const root = new URL('../../../', import.meta.url);
const { written, removed } = await generateKinds({ kinds: fleetKinds, root, folder: 'domain/fleet-api', isCheck });
for (const path of written) console.log(isCheck ? `${path} is stale: run 'npm run generate'` : `wrote ${path}`);
for (const path of removed) console.log(isCheck ? `${path} is generated from nothing any more` : `removed ${path}`);
if (isCheck && written.length + removed.length > 0) process.exitCode = 1;
