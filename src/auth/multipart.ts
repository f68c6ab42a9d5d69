// A form as multipart/form-data text. Written out here because FormData belongs to one fetch implementation: this text
// travels over all of them.

export interface MultipartForm {
  readonly contentType: string;
  readonly body: string;
}

/** The fields as one form. Names are ours and plain; values may hold anything. */
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
