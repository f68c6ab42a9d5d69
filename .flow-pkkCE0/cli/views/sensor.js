const sensorView = {
  columns: [
    { title: "SENSOR", text: ({ name }) => name ?? "", min: 10, rank: 0 },
    { title: "SOURCE", text: ({ source }) => source ?? "", rank: 0 }
  ],
  fields: ["name", "source"]
};
export {
  sensorView
};
