// Stricter types than the contract's, which has no non-null fields.
import { GraphQLList, GraphQLNonNull, type GraphQLSchema, isInputObjectType, isListType, isObjectType } from 'graphql';

const requiredFields = ['id', 'version', 'createdAt', 'updatedAt', 'isDeleted'];

const requiredMembers: Readonly<Record<string, readonly string[]>> = {
  CreateGroupInput: ['name'],
  CreateGeofenceInput: ['name', 'geojson'],
  CreateDriverTokenInput: ['value', 'driverId'],
  CustomFieldInput: ['name'],
  WrappedReportInput: ['reportId'],
};

export function applyStrictNullability(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isObjectType(type)) {
      const isQuery = type === schema.getQueryType();
      for (const [name, field] of Object.entries(type.getFields())) {
        const nullable = field.type;
        if (isQuery && isListType(nullable))
          field.type = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(nullable.ofType)));
        else if (requiredFields.includes(name) && !(nullable instanceof GraphQLNonNull))
          field.type = new GraphQLNonNull(nullable);
      }
    }
    if (!isInputObjectType(type)) continue;
    for (const name of requiredMembers[type.name] ?? []) {
      const field = type.getFields()[name];
      if (field !== undefined && !(field.type instanceof GraphQLNonNull)) field.type = new GraphQLNonNull(field.type);
    }
  }
}
