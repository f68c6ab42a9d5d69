// Writes a form as multipart/form-data text. FormData belongs to one fetch implementation; this text can be sent over all of them.

export interface MultipartForm {
  readonly contentType: string;
  readonly body: string;
}

/** Names must be plain words; values may be any text. */
export function multipartForm(fields: Readonly<Record<string, string>>): MultipartForm {
  const values = Object.values(fields);
  let boundary = newBoundary();
  while (values.some((value) => value.includes(boundary))) boundary = newBoundary();
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: `${parts.join('')}--${boundary}--\r\n` };
}

function newBoundary(): string {
  return `form-${crypto.randomUUID()}`;
}
