interface ErrorType {
  readonly prefix: string;
  readonly codes: readonly string[];
}

/** The errors of OpenFlow 1.3 and later, by type and then code. */
export const ERROR_TYPES: ReadonlyMap<number, ErrorType> = new Map([
  [0, errors('OFPHFC', 'INCOMPATIBLE EPERM')],
  [
    1,
    errors(
      'OFPBRC',
      'BAD_VERSION BAD_TYPE BAD_MULTIPART BAD_EXPERIMENTER BAD_EXP_TYPE EPERM BAD_LEN BUFFER_EMPTY BUFFER_UNKNOWN ' +
        'BAD_TABLE_ID IS_SECONDARY BAD_PORT BAD_PACKET MULTIPART_BUFFER_OVERFLOW MULTIPART_REQUEST_TIMEOUT ' +
        'MULTIPART_REPLY_TIMEOUT MULTIPART_BAD_SCHED PIPELINE_FIELDS_ONLY UNKNOWN',
    ),
  ],
  [
    2,
    errors(
      'OFPBAC',
      'BAD_TYPE BAD_LEN BAD_EXPERIMENTER BAD_EXP_TYPE BAD_OUT_PORT BAD_ARGUMENT EPERM TOO_MANY BAD_QUEUE ' +
        'BAD_OUT_GROUP MATCH_INCONSISTENT UNSUPPORTED_ORDER BAD_TAG BAD_SET_TYPE BAD_SET_LEN BAD_SET_ARGUMENT ' +
        'BAD_SET_MASK BAD_METER',
    ),
  ],
  [
    3,
    errors(
      'OFPBIC',
      'UNKNOWN_INST UNSUP_INST BAD_TABLE_ID UNSUP_METADATA UNSUP_METADATA_MASK BAD_EXPERIMENTER BAD_EXP_TYPE ' +
        'BAD_LEN EPERM DUP_INST',
    ),
  ],
  [
    4,
    errors(
      'OFPBMC',
      'BAD_TYPE BAD_LEN BAD_TAG BAD_DL_ADDR_MASK BAD_NW_ADDR_MASK BAD_WILDCARDS BAD_FIELD BAD_VALUE BAD_MASK ' +
        'BAD_PREREQ DUP_FIELD EPERM',
    ),
  ],
  [
    5,
    errors(
      'OFPFMFC',
      'UNKNOWN TABLE_FULL BAD_TABLE_ID OVERLAP EPERM BAD_TIMEOUT BAD_COMMAND BAD_FLAGS CANT_SYNC BAD_PRIORITY IS_SYNC',
    ),
  ],
  [7, errors('OFPPMFC', 'BAD_PORT BAD_HW_ADDR BAD_CONFIG BAD_ADVERTISE EPERM')],
  [8, errors('OFPTMFC', 'BAD_TABLE BAD_CONFIG EPERM')],
  [9, errors('OFPQOFC', 'BAD_PORT BAD_QUEUE EPERM')],
  [10, errors('OFPSCFC', 'BAD_FLAGS BAD_LEN EPERM')],
  [11, errors('OFPRRFC', 'STALE UNSUP BAD_ROLE ID_UNSUP ID_IN_USE')],
]);

function errors(prefix: string, codes: string): ErrorType {
  return { prefix, codes: codes.split(' ') };
}
