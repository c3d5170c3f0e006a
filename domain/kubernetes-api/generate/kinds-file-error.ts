/** A `.kinds` file cannot be understood. */
export class KindsFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KindsFileError';
  }
}
