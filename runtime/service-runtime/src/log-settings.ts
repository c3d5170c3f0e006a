interface Choice {
  readonly type: 'string';
  readonly enum: readonly string[];
  readonly default: string;
  readonly description: string;
}

/** The settings of the log of a program, the same for all of them. */
export const logSettings: {
  readonly type: 'object';
  readonly properties: { readonly level: Choice; readonly format: Choice };
  readonly required: readonly ['level', 'format'];
} = {
  type: 'object',
  properties: {
    level: {
      type: 'string',
      enum: ['debug', 'info', 'warn', 'error', 'silent'],
      default: 'info',
      description: 'what is worth a line on the standard error',
    },
    format: { type: 'string', enum: ['json', 'pretty'], default: 'json', description: 'for programs or for people' },
  },
  required: ['level', 'format'],
};
