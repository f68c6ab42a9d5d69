const inputMap = {
  AssignDriverInput: "vehicleId:UUID! driverId:UUID! startTimestamp:DateTime endTimestamp:DateTime",
  GetDriverAssignmentsInput: "vehicleId:UUID driverId:UUID",
  UnassignDriverInput: "vehicleId:UUID! driverId:UUID timestamp:DateTime",
  ChangeGeofenceGroupsInput: "addGroupIds:[UUID!] removeGroupIds:[UUID!]",
  ChangeVehicleGroupsInput: "addGroupIds:[UUID!] removeGroupIds:[UUID!]",
  CreateDriverTokenInput: "value:String driverId:UUID",
  UpdateDriverTokenInput: "value:String driverId:UUID",
  CreateGeofenceInput: "name:String geojson:JSON color:String phone:String email:String address:AddressInput description:String type:String displayNameAsAddress:Boolean",
  GeofenceInput: "name:String geojson:JSON color:String phone:String email:String address:AddressInput description:String type:String displayNameAsAddress:Boolean",
  AddressInput: "country:String countryCode:String region:String city:String postalCode:String address:String",
  CreateGroupInput: "name:String parentId:UUID externalId:String description:String",
  UpdateGroupInput: "name:String parentId:UUID externalId:String description:String",
  CreatePersonInput: "firstName:String lastName:String email:String phone:String isUser:Boolean isDriver:Boolean licenseNumber:String licenseIssuedIn:String employeeId:String customFields:[CustomFieldInput!]",
  UpdatePersonInput: "firstName:String lastName:String email:String phone:String isUser:Boolean isDriver:Boolean licenseNumber:String licenseIssuedIn:String employeeId:String customFields:[CustomFieldInput!]",
  CustomFieldInput: "name:String value:String",
  VehicleInput: "name:String vin:String licensePlate:String make:String model:String year:Int deactivated:Boolean vehicleTypeId:UUID workScheduleId:UUID labelIds:[UUID!]",
  WrappedReportInput: "reportId:String inputs:JSON"
};
const guessedInputs = ["UnassignDriverInput", "ChangeGeofenceGroupsInput", "ChangeVehicleGroupsInput", "CreateDriverTokenInput", "UpdateDriverTokenInput", "CreateGeofenceInput", "GeofenceInput", "AddressInput", "CreateGroupInput", "UpdateGroupInput", "CreatePersonInput", "UpdatePersonInput", "CustomFieldInput", "VehicleInput", "WrappedReportInput"];
export {
  guessedInputs,
  inputMap
};
