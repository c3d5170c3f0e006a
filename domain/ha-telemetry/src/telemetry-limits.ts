/** How large things may be. Both ends hold to them: a sender clips and splits, a receiver refuses. */
export const telemetryLimits = {
  /** Records in one batch. */
  batchRecords: 500,
  /** Bytes of the JSON of one batch, unless it is a single record that is larger. */
  batchBytes: 1_048_576,
  /** Bytes of the JSON of one record. */
  recordBytes: 4_194_304,
  /** Instances in one report. */
  instances: 20_000,
  /** Characters of a name or a path. */
  textLength: 4096,
  /** Characters of a word, such as a state or a reason. */
  wordLength: 64,
} as const;
