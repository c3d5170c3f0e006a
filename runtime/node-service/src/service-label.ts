/** What a service is called where people read of it. */
export interface ServiceLabel {
  /** In its log, such as `the troubleshooting API`. */
  readonly title: string;
  /** The section of the settings that is about it, for messages that say what to change. */
  readonly setting: string;
  /** The files of the certificate that it makes for itself, without their ends. */
  readonly fileName: string;
}
