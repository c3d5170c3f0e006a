import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Clock } from '@smalt/controller-runtime';
import { writeFileSafely } from '@smalt/files';
import { isNotFound, type KubeClient } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';

import { PodRunnerError } from '../pod-runner-error.ts';
import { judgeCluster } from './judge-cluster.ts';

export interface KnownClusterOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly podsDirectory: string;
  /** Whether anything runs here of pods that were started before. */
  readonly hasRunningPods: () => Promise<boolean>;
  readonly onFailure: (error: unknown) => void;
}

const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};
/** It is there for as long as its cluster is, so its uid names that. */
const NAMESPACE = 'kube-system';
const FILE = 'cluster';
const RETRY_MS = 1_000;

/** Remembers which cluster the pods of a directory came from: one that does not know them has no say in their end. */
export class KnownCluster {
  readonly #options: KnownClusterOptions;
  readonly #path: string;

  constructor(options: KnownClusterOptions) {
    this.#options = options;
    this.#path = join(options.podsDirectory, FILE);
  }

  /** Waits for the API, and remembers its cluster. Rejects with `other-cluster` when pods of another one run here. */
  async open(signal: AbortSignal): Promise<void> {
    const current = await this.#untilAnswered(signal);
    const hasRunningPods = await this.#options.hasRunningPods();
    const remembered = await this.#remembered();
    switch (judgeCluster({ remembered, current, hasRunningPods })) {
      case 'same':
        return;
      case 'another':
        throw this.#another(remembered, current);
      case 'remember':
        await writeFileSafely(this.#path, `${current}\n`);
    }
  }

  /** Rejects with `other-cluster` unless the cluster that answers now is the remembered one. */
  async check(signal: AbortSignal): Promise<void> {
    const current = await this.#current(signal);
    const remembered = await this.#remembered();
    if (current !== remembered) throw this.#another(remembered, current);
  }

  async #untilAnswered(signal: AbortSignal): Promise<string> {
    const { clock, onFailure } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      try {
        const current = await this.#current(signal);
        if (current !== '') return current;
      } catch (error) {
        signal.throwIfAborted();
        onFailure(error);
      }
      await clock.wait(RETRY_MS, signal);
    }
  }

  /** Empty while an API server that is new has yet to make its namespaces. */
  async #current(signal: AbortSignal): Promise<string> {
    try {
      const { metadata } = await this.#options.client.resource(namespaceKind).get(NAMESPACE, { signal });
      return metadata.uid ?? '';
    } catch (error) {
      if (isNotFound(error)) return '';
      throw error;
    }
  }

  async #remembered(): Promise<string | undefined> {
    try {
      return (await readFile(this.#path, 'utf8')).trim();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  #another(remembered: string | undefined, current: string): PodRunnerError {
    return new PodRunnerError(
      'other-cluster',
      `the pods in ${this.#options.podsDirectory} are of the cluster ${remembered ?? '(unknown)'}, and the API is that of ` +
        `${current || '(unknown)'}: nothing of them is ended; give the right kubeconfig, or remove ${this.#path} to have ` +
        'what the API does not know ended',
    );
  }
}
