import { smaltOperator } from './operator-sources.ts';
import { measureOnboarding } from './measure-onboarding.ts';
const nodes = Number(process.argv[2] ?? 300);
const base = smaltOperator('bundle');
const source = { name: 'smalt' as const, command: (place: Parameters<typeof base.command>[0]) => { const words = [...base.command(place)]; const i = words.indexOf(process.execPath); if (process.argv[3]) words.splice(i+1, 0, ...process.argv[3].split(' ')); return words; } };
const r = await measureOnboarding({ source, nodes, latencyMs: 50, program: 'bundle' }, AbortSignal.timeout(500_000));
console.log(process.argv[3] ?? 'plain', JSON.stringify(r));
