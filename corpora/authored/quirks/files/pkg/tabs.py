class Tabbed:
	def tabbed_method(self):
		return Tabbed()


	def another_method(self):
		if self:
			return self.tabbed_method()
