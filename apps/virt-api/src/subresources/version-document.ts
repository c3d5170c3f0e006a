import type { JsonObject } from '@smalt/json';

/** What `version` answers: the version of this program, in the form that clients of KubeVirt read. */
export const VERSION_DOCUMENT: JsonObject = {
  gitVersion: 'v0.1.0',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch}`,
};
