/** A volume of the instance as it lies on the node. */
export interface DomainVolume {
  /** Its name in `spec.volumes`. */
  readonly name: string;
  readonly source: VolumeSource;
  /** Of a file or a block device; a directory has none. */
  readonly format: 'raw' | 'qcow2';
  /** What is read where nothing was written yet, and what that rests on in turn. */
  readonly backing?: BackingImage | undefined;
  /** Whether all files of it can be opened past the page cache. */
  readonly supportsDirectIo: boolean;
  /** Whether all its blocks are there already. Such a volume keeps blocks that the guest discards. */
  readonly isPreallocated?: boolean | undefined;
  readonly isReadOnly?: boolean | undefined;
  /** The block sizes of what lies under it. */
  readonly blockSize?: VolumeBlockSize | undefined;
}

export type VolumeSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'block'; readonly path: string }
  | {
      readonly kind: 'directory';
      readonly path: string;
      /** Set where nobody can write to it by this path, whoever shares it. */
      readonly isMountedReadOnly?: true | undefined;
    }
  /** A directory behind a virtiofsd that runs already. */
  | { readonly kind: 'virtiofs-socket'; readonly path: string };

export interface BackingImage {
  readonly source: Extract<VolumeSource, { readonly kind: 'file' | 'block' }>;
  readonly format: 'raw' | 'qcow2';
  readonly backing?: BackingImage | undefined;
}

export interface VolumeBlockSize {
  readonly logical: number;
  readonly physical: number;
  readonly discardGranularity?: number | undefined;
}
