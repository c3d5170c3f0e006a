import { measureFlood } from './measure-flood.ts';
console.log(await measureFlood({ program: 'sources', plan: { agents: Number(process.argv[2]??1000), seconds: 4, rounds: 2 } }, AbortSignal.timeout(100000)));
