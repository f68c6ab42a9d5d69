import { parseDocument, refusal } from 'fleet-telematics/kit/command';
import { Kind, type OperationDefinitionNode } from 'graphql';

export interface QueryLimits {
  readonly characters: number;
  readonly rootFields: number;
}

/** @throws CliError USAGE for a mutation, several operations or an exceeded limit */
export function requireQuery(document: string, { characters, rootFields }: QueryLimits): void {
  if (document.length > characters) throw refusal(`The document has more than ${characters} characters.`);
  const operations = parseDocument(document).definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const [operation, second] = operations;
  if (!operation || second) {
    throw refusal(`The document has ${operation ? 'more than one operation' : 'no operation'}.`, {
      hint: 'Send one query at a time.',
    });
  }
  if (operation.operation !== 'query') {
    throw refusal(`The document is a ${operation.operation}, and only queries are sent.`);
  }
  if (operation.selectionSet.selections.length <= rootFields) return;
  throw refusal(`The document asks for more than ${rootFields} operations at once.`, {
    hint: 'Send several documents.',
  });
}
