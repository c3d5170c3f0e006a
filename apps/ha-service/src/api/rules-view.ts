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

function levelView(level: PowerLevel): unknown {
  switch (level.driver) {
    case 'command':
      return programView(level);
    case 'redfish': {
      const { perHost = {}, ...shared } = level;
      const places = Object.entries(perHost).map(([host, own]) => [
        host,
        own.url === undefined ? own : { ...own, url: originOf(own.url) },
      ]);
      return { ...shared, url: originOf(level.url), perHost: Object.fromEntries(places) };
    }
    case 'ipmi':
    case 'ironcore':
    case 'person':
      return level;
  }
}

function programView<T extends { readonly command: readonly string[]; readonly environment?: object }>(
  program: T,
): unknown {
  const { command, environment = {} } = program;
  return { ...program, command: command.slice(0, 1), environment: Object.keys(environment) };
}

/** Not by `URL`: an address of the settings may hold fields such as `{host}`. */
function originOf(url: string): string {
  const [, scheme = '', place = ''] = /^([a-z]+:\/\/)(?:[^/?#]*@)?([^/?#]*)/i.exec(url) ?? [];
  return scheme + place;
}
