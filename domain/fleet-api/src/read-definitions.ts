import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';

/** The CustomResourceDefinitions of the fleet, to be installed. They are read when asked for, and kept by nobody. */
export async function readFleetDefinitions(): Promise<readonly JsonObject[]> {
  const { definitions } = await import('./generated/definitions.gen.ts');
  return definitions.map(parseJson).filter(isJsonObject);
}
