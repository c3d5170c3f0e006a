import type { PowerLevel } from '../power/power-settings.ts';
import type { HaServiceSettings } from '../settings/ha-service-settings.ts';

/**
 * The settings as those see them who may look: without what people put secrets into, though these belong in files. Of addresses of
 * others the origin is left, of programs their path, of variables their names.
 */
export function rulesView(settings: HaServiceSettings): Readonly<Record<string, unknown>> {
  const { fencing, sources, webhooks } = settings;
  return {
    ...settings,
    fencing: { ...fencing, levels: fencing.levels.map(levelView), cleanUp: fencing.cleanUp.map(programView) },
    sources: { ...sources, pull: sources.pull.map((each) => ({ ...each, url: originOf(each.url) })) },
    webhooks: webhooks.map((each) => ({ ...each, url: originOf(each.url) })),
  };
}

/** Addresses of controllers with more than a host and a port are refused when the settings are read. */
function levelView(level: PowerLevel): unknown {
  return level.driver === 'command' ? programView(level) : level;
}

interface Program {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

function programView({ command, environment, ...rest }: Program): unknown {
  return {
    ...rest,
    command: command.slice(0, 1),
    ...(environment !== undefined && { environment: Object.keys(environment) }),
  };
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? '';
}
