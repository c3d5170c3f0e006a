import type { Volume } from '@smalt/vm-api';

/** The claim that a volume takes its data from. That of a DataVolume has the same name. */
export function claimNameOf(volume: Volume): string | undefined {
  const { persistentVolumeClaim, ephemeral, dataVolume } = volume;
  return persistentVolumeClaim?.claimName ?? ephemeral?.persistentVolumeClaim?.claimName ?? dataVolume?.name;
}

/** The keys of all claims that volumes of one namespace take their data from. */
export function claimKeys(namespace: string | undefined, volumes: readonly Volume[] | undefined): readonly string[] {
  const names = (volumes ?? []).flatMap((volume) => claimNameOf(volume) ?? []);
  return [...new Set(names)].map((name) => `${namespace ?? ''}/${name}`);
}
