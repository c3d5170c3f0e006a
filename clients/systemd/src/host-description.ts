/** What hostnamed says about the machine, as far as it knows. Times are ISO 8601. */
export interface HostDescription {
  readonly hostname?: string;
  readonly kernelName?: string;
  readonly kernelRelease?: string;
  readonly kernelVersion?: string;
  readonly operatingSystemPrettyName?: string;
  readonly hardwareVendor?: string;
  readonly hardwareModel?: string;
  readonly hardwareSerial?: string;
  readonly firmwareVersion?: string;
  readonly firmwareVendor?: string;
  readonly firmwareDate?: string;
}
