export interface TrustProblem {
  /** End of a sentence: "the certificate …". */
  readonly what: string;
  readonly next: string;
  readonly isUnknownAuthority?: true;
}

/** Explains the error code of a connection that TLS refused. */
export function trustProblem(code: string): TrustProblem {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return {
        what: "the service's certificate has expired",
        next: "Ask the operator of the service to renew it. If it is still valid elsewhere, check this machine's clock.",
      };
    case 'CERT_NOT_YET_VALID':
      return { what: "the service's certificate is not valid yet", next: "Check this machine's clock." };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return {
        what: "the service's certificate is for another host name",
        next: 'Check the host name in the address; if it is right, the operator of the service must add it to the certificate.',
      };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return {
      what: 'what answers there does not speak this TLS',
      next: 'Check the port and whether the address must begin with http:// instead of https://.',
    };
  }
  return {
    what: "the authority that signed the service's certificate is not trusted here",
    next: 'If it is your own authority, name its file in NODE_EXTRA_CA_CERTS.',
    isUnknownAuthority: true,
  };
}
