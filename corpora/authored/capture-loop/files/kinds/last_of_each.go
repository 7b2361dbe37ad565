package kinds

type LastType struct{ next *LastType }

func firstFunction(value *LastType) *LastType { return lastFunction(value) }

func lastFunction(value *LastType) *LastType { return value.next }
